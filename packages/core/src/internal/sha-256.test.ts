import { createHash, randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { sha256 } from "./sha-256";

const expected = (data: Uint8Array | string): string => createHash("sha256").update(data).digest("hex");

it.each(["", "abc", "é€😀", '{"a":"\\u0000"}', "x".repeat(100_000)])("hashes %o as others do", (text) => {
	expect(sha256(text)).toBe(expected(text));
});

it("hashes every length around the ends of blocks", () => {
	for (let length = 0; length < 200; length++) {
		const bytes = randomBytes(length);
		expect(sha256(bytes)).toBe(expected(bytes));
		expect(sha256("a".repeat(length))).toBe(expected("a".repeat(length)));
	}
});

it("replaces half of a character", () => expect(sha256("a\ud800b")).toBe(expected("a\ufffdb")));
