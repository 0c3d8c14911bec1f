/** A sealed text, taken apart. */
export interface Envelope {
	/** All before the box, as it is written: it is sealed too. */
	readonly header: string;
	/** Which key has sealed it; see `toKeyCheck`. */
	readonly check: string;
	readonly box: Buffer;
}

// The id is for people alone; what names the key is its check. No part has a point in it.
const ENVELOPE = /^(sealed1\.[^.]*\.([A-Za-z0-9_-]+))\.([A-Za-z0-9_-]+)$/;

/**
 * `sealed1.<key id>.<key check>.<box>`
 *
 * @param makeBox - is given the header, which it seals.
 */
export function formatEnvelope(keyId: string, check: string, makeBox: (header: string) => Buffer): string {
	const header = `sealed1.${encodeURIComponent(keyId.toWellFormed()).replaceAll(".", "%2E")}.${check}`;
	return `${header}.${makeBox(header).toString("base64url")}`;
}

/** Nothing for a text that is none, or that is not written as {@link formatEnvelope} writes it. */
export function parseEnvelope(text: string): Envelope | undefined {
	const [, header, check, encoded] = ENVELOPE.exec(text) ?? [];
	if (header === undefined || check === undefined || encoded === undefined) return undefined;
	const box = Buffer.from(encoded, "base64url");
	return box.toString("base64url") === encoded ? { header, check, box } : undefined;
}
