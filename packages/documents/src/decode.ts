// Not Node's own TextDecoder: several releases decode windows-1252 as if it were Latin-1.
import { TextDecoder } from "@exodus/bytes/encoding.js";
import htmlEncodingSniffer from "html-encoding-sniffer";
import { UnreadableError } from "./unreadable-error";

/** Most common encoding of old files without a declaration; every byte has a meaning in it. */
const FALLBACK_ENCODING = "windows-1252";

/** UTF-8, or UTF-16 with a byte order mark; what is not valid UTF-8 is taken for windows-1252. */
export function decodeText(bytes: Uint8Array): string {
	return decodeByBom(bytes) ?? decodeStrictly(bytes, "utf-8") ?? decodeLeniently(bytes, FALLBACK_ENCODING);
}

/** The encoding by the byte order mark, else as declared, else as {@link decodeText} does it. */
export function decodeHtml(bytes: Uint8Array): string {
	const bomText = decodeByBom(bytes);
	if (bomText !== undefined) return bomText;
	const declared = htmlEncodingSniffer(bytes, { defaultEncoding: "utf-8" });
	const text = decodeStrictly(bytes, declared) ?? decodeStrictly(bytes, "utf-8");
	if (text !== undefined) return text;
	return decodeLeniently(bytes, declared.toLowerCase() === "utf-8" ? FALLBACK_ENCODING : declared);
}

/** @throws when the bytes are not what their byte order mark says. */
function decodeByBom(bytes: Uint8Array): string | undefined {
	const encoding = bomEncoding(bytes);
	if (encoding === undefined) return undefined;
	const text = decodeStrictly(bytes, encoding);
	if (text === undefined)
		throw new UnreadableError(`its byte order mark says ${encoding}, but it is not valid ${encoding}`);
	return text;
}

function bomEncoding([first, second, third]: Uint8Array): string | undefined {
	if (first === 0xef && second === 0xbb && third === 0xbf) return "UTF-8";
	if (first === 0xff && second === 0xfe) return "UTF-16LE";
	if (first === 0xfe && second === 0xff) return "UTF-16BE";
	return undefined;
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
	try {
		return new TextDecoder(encoding, { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

const decodeLeniently = (bytes: Uint8Array, encoding: string): string =>
	new TextDecoder(encoding).decode(bytes);
