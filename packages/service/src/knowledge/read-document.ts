import { cutPassages } from "../documents/cut-passages";
import { decodeHtml, decodeText } from "../documents/decode";
import type { ParsedDocument } from "../documents/document-part";
import { type DocumentFormat, formatOf } from "../documents/formats";
import { NestingError } from "../documents/nesting-error";
import type { Passage } from "../documents/passage";
import { findTitle } from "../documents/sections";
import { noText, unreadable } from "./document-error";
import { extensionOf } from "./document-format";
import { toTitle } from "./document-title";
import { toIndexText } from "./index-text";
import type { DocumentContent, PassageContent, UploadContent } from "./upload-content";

const EXTENSION_OF_FORMAT = { markdown: "md", text: "txt", html: "html" } as const;
const FIRST_WORDS_LENGTH = 80;

/**
 * Reads a document into passages.
 *
 * @throws DocumentError with the reason.
 */
export function readDocument(upload: UploadContent): DocumentContent {
	// A name can say more than the format: .rst and .org are text, .mdx is Markdown.
	const format = formatOf(extensionOf(upload.fileName ?? "")) ?? formatOf(EXTENSION_OF_FORMAT[upload.format]);
	if (format === undefined) throw unreadable("its format is not known");
	const parsed = parse(decode(upload.bytes, format), format);
	const passages = cutPassages({ document_id: "", title: "", path: "" }, parsed);
	const [first] = passages;
	if (first === undefined) throw noText();
	const fallback = upload.fileName ?? upload.source ?? toFirstWords(first.text);
	const title = toTitle(findTitle(parsed, fallback)) || toTitle(fallback) || "Untitled";
	return { title, passages: passages.map(toContent) };
}

function decode(bytes: Uint8Array, { declaresEncoding }: DocumentFormat): string {
	let text: string;
	try {
		text = declaresEncoding ? decodeHtml(bytes) : decodeText(bytes);
	} catch (error) {
		throw unreadable(error instanceof Error ? error.message : String(error), error);
	}
	if (text.includes("\0")) throw unreadable("it holds binary data, not text");
	return text;
}

function parse(text: string, format: DocumentFormat): ParsedDocument {
	try {
		return format.parse(text);
	} catch (error) {
		if (error instanceof NestingError) throw unreadable(error.message, error);
		throw unreadable(`it is not ${format.name} that can be read (${String(error)})`, error);
	}
}

function toFirstWords(text: string): string {
	const [line = ""] = text.split("\n", 1);
	if (line.length <= FIRST_WORDS_LENGTH) return line;
	return `${line.slice(0, FIRST_WORDS_LENGTH).replace(/\s+\S*$/, "")}…`;
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
