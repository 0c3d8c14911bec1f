import { cutPassages } from "../../documents/cut-passages";
import { decodeHtml, decodeText } from "../../documents/decode";
import type { ParsedDocument } from "../../documents/document-part";
import { type DocumentFormat, findFormat } from "../../documents/formats";
import { NestingError } from "../../documents/nesting-error";
import type { Passage } from "../../documents/passage";
import { findTitle } from "../../documents/sections";
import { toIndexText } from "../search/index-text";
import { noTextError, unreadableError } from "./document-error";
import { extensionOf } from "./document-format";
import { toTitle } from "./document-title";
import type { DocumentContent, PassageContent, UploadContent } from "./upload-content";

const EXTENSION_OF_FORMAT = { markdown: "md", text: "txt", html: "html" } as const;
const MAX_FALLBACK_TITLE_CHARACTERS = 80;

/**
 * Reads a document into passages.
 *
 * @throws DocumentError with the reason.
 */
export function readDocument(upload: UploadContent): DocumentContent {
	// A name can say more than the format: .rst and .org are text, .mdx is Markdown.
	const format =
		findFormat(extensionOf(upload.fileName ?? "")) ?? findFormat(EXTENSION_OF_FORMAT[upload.format]);
	if (format === undefined) throw unreadableError("its format is not known");
	const parsed = parse(decode(upload.bytes, format), format);
	const passages = cutPassages({ document_id: "", title: "", path: "" }, parsed);
	const [first] = passages;
	if (first === undefined) throw noTextError();
	const fallback = upload.fileName ?? upload.source ?? toFallbackTitle(first.text);
	const title = toTitle(findTitle(parsed, fallback)) || toTitle(fallback) || "Untitled";
	return { title, passages: passages.map(toContent) };
}

function decode(bytes: Uint8Array, { declaresEncoding }: DocumentFormat): string {
	let text: string;
	try {
		text = declaresEncoding ? decodeHtml(bytes) : decodeText(bytes);
	} catch (error) {
		throw unreadableError(error instanceof Error ? error.message : String(error), error);
	}
	if (text.includes("\0")) throw unreadableError("it holds binary data, not text");
	return text;
}

function parse(text: string, format: DocumentFormat): ParsedDocument {
	try {
		return format.parse(text);
	} catch (error) {
		if (error instanceof NestingError) throw unreadableError(error.message, error);
		throw unreadableError(`it is not ${format.name} that can be read (${String(error)})`, error);
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
