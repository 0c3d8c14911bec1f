import { noTextError, unreadableError } from "./document-error";
import { type DocumentFormat, FORMAT_BY_API_NAME, findFormat } from "./document-format";
import type { ParsedDocument } from "./document-part";
import { toTitle } from "./document-title";
import { toIndexText } from "./index-text";
import { parseDocument } from "./parse-document";
import { cutPassages } from "./passages/cut-passages";
import type { Passage } from "./passages/passage";
import { findTitle } from "./passages/sections";
import type { DocumentContent, PassageContent, UploadContent } from "./upload-content";

const MAX_FALLBACK_TITLE_CHARACTERS = 80;

/**
 * Reads a document into passages.
 *
 * @throws DocumentError with the reason.
 */
export function readDocument(upload: UploadContent): DocumentContent {
	// A name can say more than the format: .rst and .org are text, .mdx is Markdown.
	const format = findFormat(upload.fileName ?? "") ?? FORMAT_BY_API_NAME[upload.format];
	const parsed = parse(upload.bytes, format);
	const passages = cutPassages({ document_id: "", title: "", path: "" }, parsed);
	const [first] = passages;
	if (first === undefined) throw noTextError();
	const fallback = upload.fileName ?? upload.source ?? toFallbackTitle(first.text);
	const title = toTitle(findTitle(parsed, fallback)) || toTitle(fallback) || "Untitled";
	return { title, passages: passages.map(toContent) };
}

function parse(bytes: Uint8Array, format: DocumentFormat): ParsedDocument {
	try {
		return parseDocument(bytes, format);
	} catch (error) {
		throw unreadableError(error instanceof Error ? error.message : String(error), error);
	}
}

function toFallbackTitle(text: string): string {
	const [line = ""] = text.split("\n", 1);
	if (line.length <= MAX_FALLBACK_TITLE_CHARACTERS) return line;
	return `${line.slice(0, MAX_FALLBACK_TITLE_CHARACTERS).replace(/\s+\S*$/, "")}…`;
}

function toContent({ text, place }: Passage): PassageContent {
	const indexText = toIndexText(text);
	return {
		heading: place.heading ?? null,
		page: place.page ?? null,
		start: place.start,
		end: place.end,
		text,
		...(indexText !== text && { indexText }),
	};
}
