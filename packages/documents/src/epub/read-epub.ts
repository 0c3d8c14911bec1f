import { decodeHtml } from "../decode";
import type { Heading, ParsedDocument } from "../document-part";
import { readHtml } from "../html/read-html";
import { createTextExtraction } from "../text-extraction";
import { UnreadableError } from "../unreadable-error";
import { openZip, type ZipContainer } from "../zip/open-zip";
import { readPackage } from "./read-package";
import { toHtml } from "./xhtml";

/** Level of the highest heading of each chapter: below the title of the book. */
const TOP_LEVEL = 2;

/**
 * Reads the chapters of a book in the order of its spine.
 *
 * @throws UnreadableError; with the code `password_protected` for an encrypted book.
 */
export async function readEpub(bytes: Uint8Array): Promise<ParsedDocument> {
	const zip = await openZip(bytes);
	const { title, chapters, encrypted } = await readPackage(zip);
	if (chapters.some(({ path }) => encrypted.has(path)))
		throw new UnreadableError("its chapters are encrypted (DRM)", {
			code: "password_protected",
			hint: "Upload a copy without copy protection.",
		});
	const extraction = createTextExtraction();
	let chapter = "";
	for (const { path, labels } of chapters) {
		const { parts } = await readChapter(zip, path);
		const [label] = labels;
		const hasHeading = parts.slice(0, 3).some(({ kind }) => kind === "heading");
		// A file that the table of contents does not name, and that begins with text, goes on with the chapter before it.
		if (label !== undefined || hasHeading || chapter === "")
			chapter = label ?? findHeading(parts)?.text ?? toFileName(path);
		if (label !== undefined && !hasHeading && parts.length > 0)
			extraction.addHeading(TOP_LEVEL, { text: label, place: { kind: "chapter", chapter } });
		const level = TOP_LEVEL - minLevel(parts);
		for (const part of parts) {
			if (part.kind === "heading" && labels.includes(part.text)) chapter = part.text;
			extraction.addParts([part], { kind: "chapter", chapter }, level);
		}
	}
	return extraction.finish(title);
}

const findHeading = (parts: ParsedDocument["parts"]): Heading | undefined =>
	parts.find((part): part is Heading => part.kind === "heading");

/** Level of the highest heading of a chapter, which may begin with any. */
const minLevel = (parts: ParsedDocument["parts"]): number =>
	parts.reduce(
		(level, part) => (part.kind === "heading" ? Math.min(level, part.level) : level),
		// The lowest one of HTML.
		6,
	);

/** Headings and blocks of a chapter; none where the book lacks its file. */
async function readChapter(zip: ZipContainer, path: string): Promise<Pick<ParsedDocument, "parts">> {
	const content = await zip.find(path);
	return content === undefined ? { parts: [] } : readHtml(toHtml(decodeHtml(content)));
}

const toFileName = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/u, "");
