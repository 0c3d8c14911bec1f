import { type OddFile, toOddFile } from "./odd-file";

const toUtf32 = (text: string, isLittle: boolean): Buffer => {
	const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
	const bytes = Buffer.alloc(codes.length * 4);
	for (const [index, code] of codes.entries())
		if (isLittle) bytes.writeUInt32LE(code, index * 4);
		else bytes.writeUInt32BE(code, index * 4);
	return bytes;
};

const toUtf16 = (text: string, isLittle: boolean): Buffer => {
	const bytes = Buffer.from(text, "utf16le");
	return isLittle ? bytes : bytes.swap16();
};

/** Latin letters and the sign of the euro alone. */
const toWindows1252 = (text: string): Buffer => Buffer.from(text.replaceAll("€", "\x80"), "latin1");

const MARK = "\ufeff";

const ENCODINGS: Readonly<Record<string, (text: string) => string | Uint8Array>> = {
	"utf-8": (text) => text,
	"utf-8-mark": (text) => MARK + text,
	"utf-16le-mark": (text) => toUtf16(MARK + text, true),
	"utf-16be-mark": (text) => toUtf16(MARK + text, false),
	"utf-16le": (text) => toUtf16(text, true),
	"utf-16be": (text) => toUtf16(text, false),
	"utf-32le-mark": (text) => toUtf32(MARK + text, true),
	"utf-32be-mark": (text) => toUtf32(MARK + text, false),
	"utf-32le": (text) => toUtf32(text, true),
	"utf-32be": (text) => toUtf32(text, false),
	"windows-1252": toWindows1252,
	"lines-of-windows": (text) => text.replaceAll("\n", "\r\n"),
	"lines-of-old-macs": (text) => text.replaceAll("\n", "\r"),
	"no-last-line-end": (text) => text.trimEnd(),
	"a-thousand-line-ends": (text) => `${text}${"\n".repeat(1_000)}`,
};

/** One text in each encoding, and with each kind of line ends. */
export const encodeText = (extension: string, text: string): readonly OddFile[] =>
	Object.entries(ENCODINGS).map(([encoding, encode]) => toOddFile(extension, encoding, encode(text)));
