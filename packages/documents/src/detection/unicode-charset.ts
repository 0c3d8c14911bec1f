import { TextDecoder } from "@exodus/bytes/encoding.js";

/** Encodings of text that holds zero bytes. */
export type WideEncoding = "UTF-16LE" | "UTF-16BE" | "UTF-32LE" | "UTF-32BE";

/** Bytes that are looked at; divisible by 4. */
const SAMPLE_BYTES = 65_536;
/** Share of characters up to which a text may hold ones that are in no text, such as control characters. */
const MAX_ODD_SHARE = 1 / 500;
const ODD_CHARACTER = /[^\P{C}\t\n\r\f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/gu;

/** The encoding of text without a byte order mark that holds zero bytes; undefined where it is no text. */
export function findWideEncoding(bytes: Uint8Array): WideEncoding | undefined {
	const sample = bytes.subarray(0, SAMPLE_BYTES);
	if (!sample.includes(0)) return undefined;
	return listCandidates(bytes.length, sample).find((encoding) => isText(decodeWide(sample, encoding)));
}

/** Text of UTF-16 or UTF-32 without its byte order mark; undefined where the bytes are not valid. */
export function decodeWide(bytes: Uint8Array, encoding: WideEncoding): string | undefined {
	if (encoding === "UTF-32LE" || encoding === "UTF-32BE") return decodeUtf32(bytes, encoding === "UTF-32LE");
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

/** Encodings in the order in which they are tried. Most zero bytes are high ones, and a text is hardly ever valid as UTF-32. */
function listCandidates(length: number, sample: Uint8Array): WideEncoding[] {
	const zeros = [0, 0, 0, 0];
	for (const [index, byte] of sample.entries())
		if (byte === 0) zeros[index % 4] = (zeros[index % 4] ?? 0) + 1;
	const [first = 0, second = 0, third = 0, fourth = 0] = zeros;
	if (length % 2 !== 0) return [];
	const isBigEndian = first + third > second + fourth;
	if (length % 4 !== 0) return [isBigEndian ? "UTF-16BE" : "UTF-16LE"];
	return isBigEndian ? ["UTF-32BE", "UTF-16BE"] : ["UTF-32LE", "UTF-16LE"];
}

function isText(sample: string | undefined): boolean {
	if (sample === undefined || sample === "") return false;
	const odd = sample.match(ODD_CHARACTER)?.length ?? 0;
	return odd <= sample.length * MAX_ODD_SHARE && /[\p{L}\p{N}]/u.test(sample);
}

const BYTE_ORDER_MARK = 0xfeff;
const LAST_CODE_POINT = 0x10ffff;
/** Code points of which a string is made at a time: arguments of one call. */
const CHUNK = 4_096;

function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean): string | undefined {
	if (bytes.length % 4 !== 0) return undefined;
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const texts: string[] = [];
	let chunk: number[] = [];
	for (let offset = 0; offset < bytes.length; offset += 4) {
		const point = view.getUint32(offset, isLittleEndian);
		if (point > LAST_CODE_POINT || (point >= 0xd800 && point <= 0xdfff)) return undefined;
		if (offset > 0 || point !== BYTE_ORDER_MARK) chunk.push(point);
		if (chunk.length === CHUNK) {
			texts.push(String.fromCodePoint(...chunk));
			chunk = [];
		}
	}
	return texts.join("") + String.fromCodePoint(...chunk);
}
