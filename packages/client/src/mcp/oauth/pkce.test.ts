import { expect, it } from "vitest";
import { toBase64 } from "../base64";
import { createRandomText, toCodeChallenge } from "./pkce";

it("makes the challenge of RFC 7636, appendix B", () => {
	expect(toCodeChallenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toBe(
		"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
	);
});

it("makes texts that nobody can guess", () => {
	const texts = new Set(Array.from({ length: 100 }, () => createRandomText(undefined)));
	expect(texts.size).toBe(100);
	for (const text of texts) expect(text).toMatch(/^[\w-]{43}$/);
});

it("encodes bytes as Node does", () => {
	for (let length = 0; length < 70; length++) {
		const bytes = Uint8Array.from({ length }, (_, index) => (index * 89 + length * 7) % 256);
		expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
	}
});
