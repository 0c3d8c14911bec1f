import { extname } from "node:path";
import { UnreadableError, type UnreadableErrorOptions } from "../unreadable-error";
import { findInCompoundFile, findInZip } from "./container-kind";

/** Kind of a file by its first bytes or its name. */
export interface FileKind {
	/** Name in a message: "it is …". */
	readonly name: string;
	/** Lower case, without the dot. The first one is of the format that reads it, where there is one. */
	readonly extensions: readonly string[];
	/** Code and hint for a file of this kind that is not read. */
	readonly refusal?: UnreadableErrorOptions;
}

interface SignedKind extends FileKind {
	/** First bytes as hexadecimal digits; `..` is any byte. Several signatures are alternatives. */
	readonly signatures: readonly RegExp[];
}

const refusedWith = (hint: string): UnreadableErrorOptions => ({ hint });

const NEEDS_OCR: UnreadableErrorOptions = { code: "needs_ocr" };
const UNPACK = refusedWith("Unpack it, then upload the files in it.");
const TRANSCRIBE = refusedWith("Upload a transcript of it.");

/** ASCII text as hexadecimal digits. */
const hex = (text: string): string => Buffer.from(text, "latin1").toString("hex");

const image = (name: string, extensions: string, ...signatures: string[]): SignedKind =>
	toKind(`${name} image`, extensions, signatures, NEEDS_OCR);

const archive = (name: string, extensions: string, ...signatures: string[]): SignedKind =>
	toKind(`${name} archive`, extensions, signatures, UNPACK);

const recording = (name: string, extensions: string, ...signatures: string[]): SignedKind =>
	toKind(name, extensions, signatures, TRANSCRIBE);

function toKind(
	name: string,
	extensions: string,
	signatures: readonly string[],
	refusal?: UnreadableErrorOptions,
): SignedKind {
	return {
		name,
		extensions: extensions.split(" "),
		signatures: signatures.map((one) => new RegExp(`^${one}`, "u")),
		...(refusal && { refusal }),
	};
}

/** Kinds with a signature that no text begins with. */
const SIGNED_KINDS: readonly SignedKind[] = [
	toKind("a PDF file", "pdf", [`${hex("%PDF-")}3\\d`]),
	toKind("an RTF file", "rtf", [`${hex("{\\rtf")}3\\d`]),
	image("a PNG", "png", "89504e470d0a1a0a"),
	image("a JPEG", "jpg jpeg", "ffd8ff"),
	image("a GIF", "gif", `${hex("GIF8")}3[79]61`),
	image("a WebP", "webp", `${hex("RIFF")}.{8}${hex("WEBP")}`),
	image("a TIFF", "tif tiff", "49492a00", "4d4d002a"),
	image("a BMP", "bmp", `${hex("BM")}.{8}00000000`),
	image(
		"a HEIC or AVIF",
		"heic heif avif",
		`.{8}${hex("ftyp")}(?:${["heic", "heix", "mif1", "msf1", "avif"].map(hex).join("|")})`,
	),
	image("a Photoshop", "psd", `${hex("8BPS")}0001`),
	archive("a gzip", "gz tgz", "1f8b08"),
	archive("a bzip2", "bz2", `${hex("BZh")}3\\d314159`),
	archive("an xz", "xz", "fd377a585a00"),
	archive("a 7-Zip", "7z", "377abcaf271c"),
	archive("a RAR", "rar", `${hex("Rar!")}1a07`),
	archive("a Zstandard", "zst", "28b52ffd"),
	archive("a tar", "tar", `.{514}${hex("ustar")}`),
	recording(
		"a video",
		"mp4 mov m4v mkv webm avi",
		`.{8}${hex("ftyp")}`,
		"1a45dfa3",
		`${hex("RIFF")}.{8}${hex("AVI ")}`,
	),
	recording(
		"a sound recording",
		"mp3 m4a wav ogg flac",
		`${hex("ID3")}0[234]00`,
		`${hex("OggS")}00`,
		`${hex("RIFF")}.{8}${hex("WAVE")}`,
		`${hex("fLaC")}00`,
	),
	toKind(
		"an SQLite database",
		"sqlite sqlite3 db",
		[hex("SQLite format 3\0")],
		refusedWith("Export its tables as .csv, then upload these."),
	),
	toKind(
		"a program",
		"exe dll so",
		["7f454c46", `${hex("MZ")}(?:9000|5000)..00`],
		refusedWith("Upload its documentation."),
	),
];

/** Kinds within the containers that Office uses, of which one container has several. */
const CONTAINED_KINDS = {
	docx: { name: "a Word file", extensions: ["docx"] },
	xlsx: { name: "an Excel file", extensions: ["xlsx"] },
	pptx: { name: "a PowerPoint file", extensions: ["pptx"] },
	odt: { name: "an OpenDocument text", extensions: ["odt"] },
	ods: { name: "an OpenDocument spreadsheet", extensions: ["ods"] },
	odp: { name: "an OpenDocument presentation", extensions: ["odp"] },
	epub: { name: "an EPUB book", extensions: ["epub"] },
	msg: { name: "an Outlook message", extensions: ["msg"] },
	zip: { name: "a zip archive", extensions: ["zip"], refusal: UNPACK },
	doc: {
		name: "a file of Word 97-2003",
		extensions: ["doc", "dot"],
		refusal: refusedWith("Save it as .docx, then upload it again."),
	},
	xls: {
		name: "a file of Excel 97-2003",
		extensions: ["xls", "xlt"],
		refusal: refusedWith("Save it as .xlsx, then upload it again."),
	},
	ppt: {
		name: "a file of PowerPoint 97-2003",
		extensions: ["ppt", "pps"],
		refusal: refusedWith("Save it as .pptx, then upload it again."),
	},
	encrypted: {
		name: "an Office file with a password",
		extensions: [],
		refusal: { code: "password_protected" },
	},
	compound: {
		name: "a file of an old Office program",
		extensions: [],
		refusal: refusedWith("Save it in a format of today, such as .docx or .pdf, then upload it again."),
	},
} as const satisfies { readonly [kind: string]: FileKind };

const SIGNATURE_BYTES = 512;
const ZIP_SIGNATURE = /^504b(?:0304|0506)/u;
const COMPOUND_SIGNATURE = /^d0cf11e0a1b11ae1/u;

/** Kind of a file by its content; undefined for text, and for what is not known. */
export function findContentKind(bytes: Uint8Array): FileKind | undefined {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const start = buffer.toString("hex", 0, SIGNATURE_BYTES);
	if (ZIP_SIGNATURE.test(start)) return CONTAINED_KINDS[findInZip(buffer)];
	if (COMPOUND_SIGNATURE.test(start)) return CONTAINED_KINDS[findInCompoundFile(buffer)];
	return SIGNED_KINDS.find(({ signatures }) => signatures.some((signature) => signature.test(start)));
}

const KIND_BY_EXTENSION = new Map(
	[...SIGNED_KINDS, ...Object.values(CONTAINED_KINDS)].flatMap((kind) =>
		kind.extensions.map((extension): [string, FileKind] => [extension, kind]),
	),
);

/** Kind that the name of a file says. */
export const findNamedKind = (fileName: string): FileKind | undefined =>
	KIND_BY_EXTENSION.get(extname(fileName).toLowerCase().slice(1));

/** Reason why a file is not read, and what to do, by its name; undefined for names that are not known. */
export function describeUnreadFile(fileName: string): UnreadableError | undefined {
	const kind = findNamedKind(fileName);
	return kind?.refusal && unreadKindError(kind);
}

/** Error for a file of a kind that is not read. */
export const unreadKindError = ({ name, refusal }: FileKind): UnreadableError =>
	new UnreadableError(`it is ${name}`, refusal);
