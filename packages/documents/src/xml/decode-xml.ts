import { isUtf8 } from "node:buffer";
import { TextDecoder } from "@exodus/bytes/encoding.js";
import { bomEncoding, FALLBACK_ENCODING } from "../decode";
import { findLegacyEncoding } from "../detection/legacy-charset";
import { decodeWide, findWideEncoding } from "../detection/unicode-charset";
import { UnreadableError } from "../unreadable-error";

const CHUNK_BYTES = 64 * 1024;
/** The declaration stands at the start of a file, if anywhere. */
const DECLARATION_BYTES = 256;

/**
 * Text of an XML file in pieces, by its byte order mark, the zero bytes in it, or its declaration. Without one it is UTF-8; what
 * is not valid as such is what other text would be.
 *
 * @throws UnreadableError
 */
export function* decodeXml(bytes: Uint8Array): Generator<string> {
	const encoding = findEncoding(bytes);
	if (encoding === "UTF-32LE" || encoding === "UTF-32BE") {
		yield decodeWide(bytes, encoding) ?? "";
		return;
	}
	const decoder = createDecoder(encoding);
	for (let start = 0; start < bytes.length; start += CHUNK_BYTES)
		yield decoder.decode(bytes.subarray(start, start + CHUNK_BYTES), { stream: true });
	yield decoder.decode();
}

function createDecoder(encoding: string): TextDecoder {
	try {
		return new TextDecoder(encoding);
	} catch (error) {
		throw new UnreadableError(`its XML has an unknown encoding (${encoding})`, { cause: error });
	}
}

function findEncoding(bytes: Uint8Array): string {
	const marked = bomEncoding(bytes);
	if (marked !== undefined) return marked;
	const wide = findWideEncoding(bytes.subarray(0, DECLARATION_BYTES));
	if (wide !== undefined) return wide;
	const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString("latin1");
	const [, declared] = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/u.exec(start) ?? [];
	if (declared !== undefined) return declared;
	return isUtf8(bytes) ? "UTF-8" : (findLegacyEncoding(bytes) ?? FALLBACK_ENCODING);
}
