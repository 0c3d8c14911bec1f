/** Kinds of files in a zip container, and their sign: a file's name, or the start of the stored `mimetype`. */
const ZIP_SIGNS = [
	["epub", "mimetypeapplication/epub+zip"],
	["odt", "mimetypeapplication/vnd.oasis.opendocument.text"],
	["ods", "mimetypeapplication/vnd.oasis.opendocument.spreadsheet"],
	["odp", "mimetypeapplication/vnd.oasis.opendocument.presentation"],
] as const;
const ZIP_FILES = [
	["docx", "word/document"],
	["xlsx", "xl/workbook"],
	["pptx", "ppt/presentation"],
	["epub", "META-INF/container.xml"],
] as const;
/** Kinds of files in a Compound File (MS-CFB), and a stream of each. The first one that is there counts. */
const COMPOUND_STREAMS = [
	["encrypted", "EncryptedPackage"],
	["msg", "__properties_version1.0"],
	["doc", "WordDocument"],
	["ppt", "PowerPoint Document"],
	["xls", "Workbook"],
	["xls", "Book"],
] as const;

/** Size of the local header before the name of the first file. */
const LOCAL_HEADER_BYTES = 30;
const END_SIGNATURE = Buffer.from("504b0506", "hex");
/** Offset, in the end record, of where the central directory begins. */
const DIRECTORY_OFFSET = 16;

/** Kind of a zip file by the names in its directory. */
export function findInZip(bytes: Buffer): "docx" | "xlsx" | "pptx" | "odt" | "ods" | "odp" | "epub" | "zip" {
	const first = bytes.toString("latin1", LOCAL_HEADER_BYTES, LOCAL_HEADER_BYTES + 100);
	const signed = ZIP_SIGNS.find(([, sign]) => first.startsWith(sign));
	if (signed !== undefined) return signed[0];
	const end = bytes.lastIndexOf(END_SIGNATURE);
	const start =
		end === -1 || end + DIRECTORY_OFFSET + 4 > bytes.length ? 0 : bytes.readUInt32LE(end + DIRECTORY_OFFSET);
	const directory = bytes.subarray(Math.min(start, bytes.length));
	return ZIP_FILES.find(([, file]) => directory.includes(file))?.[0] ?? "zip";
}

/** Kind of a Compound File by the names of its streams, which are written in UTF-16. */
export function findInCompoundFile(bytes: Buffer): "encrypted" | "msg" | "doc" | "ppt" | "xls" | "compound" {
	const found = COMPOUND_STREAMS.find(([, stream]) => bytes.includes(Buffer.from(`${stream}\0`, "utf16le")));
	return found?.[0] ?? "compound";
}
