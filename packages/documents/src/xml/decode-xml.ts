import { TextDecoder } from "@exodus/bytes/encoding.js";
import { bomEncoding } from "../decode";
import { UnreadableError } from "../unreadable-error";

const CHUNK_BYTES = 64 * 1024;
/** The declaration stands at the start of a file, if anywhere. */
const DECLARATION_BYTES = 256;

/** Text of an XML file in pieces, by its byte order mark or its declaration. @throws UnreadableError */
export function* decodeXml(bytes: Uint8Array): Generator<string> {
	const decoder = createDecoder(findEncoding(bytes));
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
	const [first, second] = bytes;
	if (first === 0x3c && second === 0) return "UTF-16LE";
	if (first === 0 && second === 0x3c) return "UTF-16BE";
	const start = Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString("latin1");
	return /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/u.exec(start)?.[1] ?? "UTF-8";
}
