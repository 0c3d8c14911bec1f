import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { sha256 } from "./sha-256";

it("is what the platform's own says, at every length around the blocks", () => {
	for (let length = 0; length < 200; length++) {
		const bytes = randomBytes(length);
		expect(sha256(bytes)).toBe(createHash("sha256").update(bytes).digest("hex"));
	}
	expect(sha256("ü€😀")).toBe(createHash("sha256").update("ü€😀").digest("hex"));
});
