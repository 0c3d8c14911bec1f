import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import type { Secret } from "./secret";

/** A key that encrypts what a workspace keeps secret. */
export interface EncryptionKey {
	/**
	 * Name that the operator gives the key. Does not identify a key, as the same name may be given to another one
	 * later.
	 */
	readonly id: string;
	/** 32 bytes, as base64, base64url or 64 hexadecimal digits; blanks around it do not count. */
	readonly key: Secret;
}

const KEY_BYTES = 32;

/**
 * Describes what is wrong with the text of a key, to follow its name in a message; `undefined` if it is valid. Never
 * repeats the text.
 */
export function findKeyProblem(text: string): string | undefined {
	if (decodeKey(text) !== undefined) return undefined;
	const { length } = text.trim();
	return `must be 32 random bytes, as 44 characters of base64 or 64 hexadecimal digits (this has ${length}): \`openssl rand -base64 32\` makes one`;
}

/** @throws Error for a text that {@link findKeyProblem} finds fault with. */
export function importKey({ key }: EncryptionKey): KeyObject {
	const bytes = decodeKey(key.reveal());
	if (bytes === undefined) throw new Error(`An encryption key ${findKeyProblem(key.reveal())}.`);
	return createSecretKey(bytes);
}

/** Tells keys apart, whatever they are called, and tells nothing else of them. */
export const toKeyCheck = (key: KeyObject): string =>
	createHmac("sha256", key)
		.update(KEY_CHECK_MESSAGE)
		.digest()
		.subarray(0, KEY_CHECK_BYTES)
		.toString("base64url");

const KEY_CHECK_MESSAGE = "stemma encryption key check 1";
const KEY_CHECK_BYTES = 12;

function decodeKey(text: string): Buffer | undefined {
	const trimmed = text.trim();
	if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, "hex");
	const bytes = decodeBase64(trimmed);
	return bytes?.length === KEY_BYTES ? bytes : undefined;
}

/** Decodes base64 in either alphabet, with or without its padding; `undefined` for a text that no encoder writes. */
function decodeBase64(text: string): Buffer | undefined {
	const bytes = Buffer.from(text, "base64");
	const [standard, url] = [bytes.toString("base64"), bytes.toString("base64url")];
	const padding = standard.slice(url.length);
	const encodings = [standard, standard.slice(0, url.length), url, url + padding];
	return text !== "" && encodings.includes(text) ? bytes : undefined;
}
