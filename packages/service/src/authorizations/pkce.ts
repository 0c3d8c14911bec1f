import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256 as base64url: what `S256` makes of a verifier (RFC 7636, section 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** Checks whether a text can be a challenge of the method `S256`, the only one there is. */
export const isCodeChallenge = (text: string): boolean => CHALLENGE.test(text);

/** Checks whether a verifier is the one that a challenge was made from. */
export function isCodeVerifier(verifier: string, challenge: string): boolean {
	if (!VERIFIER.test(verifier) || !isCodeChallenge(challenge)) return false;
	const made = createHash("sha256").update(verifier).digest("base64url");
	return timingSafeEqual(Buffer.from(made), Buffer.from(challenge));
}
