import { type DocumentFormat, findFormat, findImageFormat } from "../document-format";
import { UnreadableError } from "../unreadable-error";
import { findContentKind, findNamedKind, unreadKindError } from "./file-kind";

const SAMPLE_BYTES = 1_024;
/** Start of an HTML page, after a byte order mark, an XML declaration and comments. */
const HTML_START =
	/^(?:ï»¿)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:[^-]|-(?!->))*-->\s*)*(?:<!doctype\s+html|<html[\s>])/iu;
const TEXT_NAMES: ReadonlySet<DocumentFormat["name"]> = new Set(["Markdown", "text"]);

/**
 * The format that a file is read in. Its content decides where that is unmistakable: a PDF that is named `.md` is read as a
 * PDF. Else its name does.
 *
 * @param named - format by the file's name or media type.
 * @param options.readsImages - text recognition reads images. Default false.
 * @throws UnreadableError for an image, an archive, an old Office file and what else is not read.
 */
export function resolveFormat(
	bytes: Uint8Array,
	named: DocumentFormat,
	{ readsImages = false } = {},
): DocumentFormat {
	const kind = findContentKind(bytes);
	if (kind === undefined) return isHtml(bytes, named) ? (findFormat("page.html") ?? named) : named;
	// A zip file of which nothing else is known can be of the format that its name says.
	const [extension = ""] = kind.extensions;
	if (extension === "zip" && isContainer(named)) return named;
	const fileName = `file.${extension}`;
	const format = findFormat(fileName) ?? (readsImages ? findImageFormat(fileName) : undefined);
	if (format === undefined) throw unreadKindError(kind);
	return format;
}

/**
 * The format of a file in another document.
 *
 * @param options.readsImages - text recognition reads images. Default false.
 * @throws UnreadableError where it is not read.
 */
export function findAttachmentFormat(
	{ name, mediaType, bytes }: UnnamedFile,
	{ readsImages = false } = {},
): DocumentFormat {
	const named = findFormat(name, mediaType) ?? (readsImages ? findImageFormat(name, mediaType) : undefined);
	if (named !== undefined) return named;
	const kind = findContentKind(bytes);
	const fileName = kind && `file.${kind.extensions[0]}`;
	const format = fileName && (findFormat(fileName) ?? (readsImages ? findImageFormat(fileName) : undefined));
	if (format) return format;
	throw kind === undefined ? new UnreadableError("its format is not known") : unreadKindError(kind);
}

/** File whose name may say nothing. */
interface UnnamedFile {
	readonly name: string;
	readonly mediaType: string;
	readonly bytes: Uint8Array;
}

const isContainer = ({ extensions }: DocumentFormat): boolean =>
	extensions.some((extension) => findNamedKind(`file.${extension}`) !== undefined);

/** Checks for a page that is named as text, or as what has a signature of its own. */
function isHtml(bytes: Uint8Array, named: DocumentFormat): boolean {
	if (!TEXT_NAMES.has(named.name) && !isContainer(named)) return false;
	const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SAMPLE_BYTES));
	return HTML_START.test(start.toString("latin1"));
}
