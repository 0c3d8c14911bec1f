/** An encrypted text, taken apart. */
export interface Envelope {
	/** All before the box, as it is written: it is encrypted too. */
	readonly header: string;
	/** Check value of the key that has encrypted it; see `toKeyCheck`. */
	readonly keyCheck: string;
	readonly ciphertext: Buffer;
}

// The id is for people alone; what names the key is its check. No part has a point in it.
const ENVELOPE = /^(sealed1\.[^.]*\.([A-Za-z0-9_-]+))\.([A-Za-z0-9_-]+)$/;

/**
 * `sealed1.<key id>.<key check>.<box>`
 *
 * @param encryptBox - is given the header, which it encrypts.
 */
export function formatEnvelope(
	keyId: string,
	keyCheck: string,
	encryptBox: (header: string) => Buffer,
): string {
	const header = `sealed1.${encodeURIComponent(keyId.toWellFormed()).replaceAll(".", "%2E")}.${keyCheck}`;
	return `${header}.${encryptBox(header).toString("base64url")}`;
}

/**
 * Parses an envelope; `undefined` for a text that is none, or that is not written as {@link formatEnvelope} writes it.
 */
export function parseEnvelope(text: string): Envelope | undefined {
	const [, header, keyCheck, encoded] = ENVELOPE.exec(text) ?? [];
	if (header === undefined || keyCheck === undefined || encoded === undefined) return undefined;
	const ciphertext = Buffer.from(encoded, "base64url");
	return ciphertext.toString("base64url") === encoded ? { header, keyCheck, ciphertext } : undefined;
}
