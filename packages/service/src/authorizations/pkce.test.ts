import { expect, it } from "vitest";
import { isCodeChallenge, isCodeVerifier } from "./pkce";

// RFC 7636, appendix B.
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

it("takes the verifier of a challenge, and no other text", () => {
	expect(isCodeChallenge(CHALLENGE)).toBe(true);
	expect(isCodeVerifier(VERIFIER, CHALLENGE)).toBe(true);
	for (const other of [`${VERIFIER.slice(1)}A`, "", "short", CHALLENGE, `${VERIFIER}\n`])
		expect(isCodeVerifier(other, CHALLENGE)).toBe(false);
});

it("is not fooled by the method plain, whose challenge is the verifier", () => {
	expect(isCodeVerifier(CHALLENGE, CHALLENGE)).toBe(false);
	expect(isCodeChallenge(`${"a".repeat(44)}`)).toBe(false);
});
