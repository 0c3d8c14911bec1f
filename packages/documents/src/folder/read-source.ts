import type { DocumentFormat } from "../document-format";
import type { ParsedDocument } from "../document-part";
import { UnreadableError } from "../unreadable-error";
import { readFileBytes } from "./read-file-bytes";

/** Larger files are hardly documents, and reading one would hold up everything else. */
const MAX_FILE_MEBIBYTES = 20;
const MEBIBYTE = 1024 * 1024;

/**
 * Headings and blocks of a file.
 *
 * @param root - real path of the folder that the file must be in; left out: any file is read.
 * @throws UnreadableError with the reason.
 */
export async function readSource(
	file: string,
	format: DocumentFormat,
	root?: string,
): Promise<ParsedDocument> {
	const bytes = await readFileBytes(file, { root, maxBytes: MAX_FILE_MEBIBYTES * MEBIBYTE }).catch(
		throwUnreadable,
	);
	// Loaded with the first file: who lists folders, or uploads what is in them, does without the memory of its parsers.
	const { parseDocument } = await import("../parse-document");
	return parseDocument(bytes, format);
}

const REASON_BY_CODE: { readonly [code: string]: string } = {
	EACCES: "no permission to read it",
	EPERM: "no permission to read it",
	ENOENT: "it does not exist, or is a link to something that does not exist",
	ELOOP: "it is a link that leads back to itself",
	EISDIR: "it is a folder",
	EMFILE: "too many files are open",
	EIO: "the disk could not read it",
};

/** @throws UnreadableError always; what is thrown says why in words. */
export function throwUnreadable(error: unknown): never {
	if (error instanceof UnreadableError) throw error;
	const code = error instanceof Error && "code" in error ? String(error.code) : "";
	const message = error instanceof Error ? error.message : String(error);
	throw new UnreadableError(REASON_BY_CODE[code] ?? message, { cause: error });
}
