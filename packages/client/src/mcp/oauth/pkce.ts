import { ConfigurationError } from "@stemma/core/errors";
import { sha256 } from "@stemma/core/internal/sha-256";
import { platformRandomBytes } from "../../http/platform";
import { toBase64 } from "../base64";

/** Length of a code verifier in random bytes, as RFC 7636 recommends. */
const RANDOM_BYTES = 32;

/** Random bytes from elsewhere, for platforms without `crypto.getRandomValues`. */
export type RandomBytes = (length: number) => Uint8Array;

/**
 * A text of 43 characters that nobody can guess.
 *
 * @throws ConfigurationError where the platform has no secure random numbers.
 */
export function createRandomText(randomBytes: RandomBytes | undefined): string {
	const bytes = randomBytes ? randomBytes(RANDOM_BYTES) : platformRandomBytes(RANDOM_BYTES);
	if (bytes?.length === RANDOM_BYTES) return toBase64Url(bytes);
	throw new ConfigurationError("There are no secure random bytes for OAuth on this platform.", {
		hint: "Pass `randomBytes`: on Node 18 `(length) => crypto.randomBytes(length)`; in React Native load a polyfill of `crypto.getRandomValues`.",
	});
}

/** `code_challenge` of a code verifier, by the method S256. Without WebCrypto, which not every platform has. */
export const toCodeChallenge = (codeVerifier: string): string =>
	toBase64Url(Array.from(sha256(codeVerifier).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));

const toBase64Url = (bytes: ArrayLike<number>): string =>
	toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
