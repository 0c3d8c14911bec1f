// Not Node's own TextDecoder: several releases decode windows-1252 as if it were Latin-1.
import { TextDecoder } from "@exodus/bytes/encoding.js";
import htmlEncodingSniffer from "html-encoding-sniffer";
import { findLegacyEncoding } from "./detection/legacy-charset";
import { decodeWide, findWideEncoding, type WideEncoding } from "./detection/unicode-charset";
import { UnreadableError } from "./unreadable-error";

/** Most common encoding of old files without a declaration; every byte has a meaning in it. */
export const FALLBACK_ENCODING = "windows-1252";

/**
 * Text by its byte order mark, else UTF-16 or UTF-32 where zero bytes show it, else UTF-8, else an East Asian, Cyrillic or
 * Greek encoding that is clearly recognised, else windows-1252.
 *
 * @throws UnreadableError when the bytes are not what their byte order mark says.
 */
export function decodeText(bytes: Uint8Array): string {
	const text = decodeUnicode(bytes) ?? decodeStrictly(bytes, "utf-8");
	if (text !== undefined && !hasKanjiEscape(text)) return text;
	const encoding = findLegacyEncoding(bytes);
	if (encoding !== undefined) return decodeLeniently(bytes, encoding);
	return text ?? decodeLeniently(bytes, FALLBACK_ENCODING);
}

/** Checks for the escape sequences of Japanese text in 7 bits (ISO-2022-JP), which is valid UTF-8 too. */
const hasKanjiEscape = (text: string): boolean => text.includes("\u001b$B") || text.includes("\u001b$@");

/** Text by its byte order mark or zero bytes, else as declared, else as {@link decodeText} does it. */
export function decodeHtml(bytes: Uint8Array): string {
	const wideText = decodeUnicode(bytes);
	if (wideText !== undefined) return wideText;
	const declared = htmlEncodingSniffer(bytes, { defaultEncoding: "utf-8" });
	const text = decodeStrictly(bytes, declared) ?? decodeStrictly(bytes, "utf-8");
	if (text !== undefined) return text;
	if (declared.toLowerCase() !== "utf-8") return decodeLeniently(bytes, declared);
	return decodeLeniently(bytes, findLegacyEncoding(bytes) ?? FALLBACK_ENCODING);
}

/** Text of which a byte order mark or zero bytes show that it is Unicode. @throws when a mark says what the bytes are not. */
function decodeUnicode(bytes: Uint8Array): string | undefined {
	const marked = bomEncoding(bytes);
	const encoding = marked ?? findWideEncoding(bytes);
	if (encoding === undefined) return undefined;
	const text = encoding === "UTF-8" ? decodeStrictly(bytes, encoding) : decodeWide(bytes, encoding);
	if (text === undefined && marked !== undefined)
		throw new UnreadableError(`its byte order mark says ${encoding}, but it is not valid ${encoding}`);
	return text;
}

/** Encoding by the byte order mark. The one of UTF-32LE begins like the one of UTF-16LE. */
export function bomEncoding(bytes: Uint8Array): WideEncoding | "UTF-8" | undefined {
	const mark = [...bytes.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
	if (mark.startsWith("efbbbf")) return "UTF-8";
	if (mark === "fffe0000" && bytes.length % 4 === 0) return "UTF-32LE";
	if (mark === "0000feff") return "UTF-32BE";
	if (mark.startsWith("fffe")) return "UTF-16LE";
	return mark.startsWith("feff") ? "UTF-16BE" : undefined;
}

/** Decoders that refuse what is not valid, by encoding. Each new one of an East Asian encoding is code to be compiled again. */
const strictDecoders = new Map<string, TextDecoder>();

function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
	try {
		const decoder = strictDecoders.get(encoding) ?? new TextDecoder(encoding, { fatal: true });
		strictDecoders.set(encoding, decoder);
		return decoder.decode(bytes);
	} catch {
		return undefined;
	}
}

const decodeLeniently = (bytes: Uint8Array, encoding: string): string =>
	new TextDecoder(encoding).decode(bytes);
