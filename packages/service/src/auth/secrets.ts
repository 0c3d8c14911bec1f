import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const SECRET_BYTES = 32;

/** 256 random bits as text that needs no quoting anywhere: `cs_…`. */
export const createSecret = (prefix: string): string =>
	`${prefix}_${randomBytes(SECRET_BYTES).toString("base64url")}`;

/** Hashes a secret for storage. No salt and no stretching: 256 random bits cannot be guessed. */
export const hashSecret = (secret: string): Uint8Array => createHash("sha256").update(secret).digest();

/** Compares in constant time. Without a hash it takes as long, and says no: nobody can tell an unknown id from a wrong secret. */
export function verifySecret(secret: string, hash: Uint8Array | undefined): boolean {
	const givenHash = hashSecret(secret);
	const isEqual = timingSafeEqual(givenHash, hash ?? givenHash);
	return isEqual && hash !== undefined;
}
