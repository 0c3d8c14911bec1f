import { decodeText } from "./decode";
import { noTextError, unreadableError } from "./document-error";
import { FORMAT_BY_API_NAME, findFormat } from "./document-format";
import { toTitle } from "./document-title";
import { parseDocument, type TakeAttachment } from "./parse-document";
import { type CutContent, cutContents } from "./passages/cut-passages";
import { findTitle } from "./passages/sections";
import type { DocumentAttachment, DocumentContent, PassageContent, UploadContent } from "./upload-content";
import { toIndexText } from "./words/index-text";

/** Attachments of one mail that become documents of their own; the others stay part of its text. */
export const MAX_SEPARATE_ATTACHMENTS = 50;
const MAX_FALLBACK_TITLE_CHARACTERS = 80;

/**
 * Reads a document into passages.
 *
 * @throws DocumentError with the reason.
 */
export async function readDocument(upload: UploadContent): Promise<DocumentContent> {
	if (upload.bytes.length === 0) throw noTextError();
	// A name can say more than the format: .rst and .org are text, .mdx is Markdown.
	const named = upload.isConverted ? undefined : findFormat(upload.fileName ?? "");
	const format = named ?? FORMAT_BY_API_NAME[upload.format];
	const attachments: DocumentAttachment[] = [];
	const takeAttachment: TakeAttachment = ({ name, mediaType, bytes }, { apiName }) => {
		if (!upload.separatesAttachments || attachments.length >= MAX_SEPARATE_ATTACHMENTS) return false;
		attachments.push({ name, mediaType, format: apiName, bytes });
		return true;
	};
	const parsed = await parseDocument(upload.bytes, format, { ...upload, takeAttachment }).catch(
		(error: unknown) => {
			throw unreadableError(error);
		},
	);
	const passages = cutContents(parsed);
	const [first] = passages;
	if (first === undefined) throw noTextError();
	const fallback = upload.fileName ?? upload.source ?? toFallbackTitle(first.text);
	const title = toTitle(findTitle(parsed, fallback)) || toTitle(fallback) || "Untitled";
	const text = parsed.text ?? (upload.isConverted ? decodeText(upload.bytes) : null);
	const { unreadPages = [] } = parsed;
	return { title, text, passages: passages.map(withIndexText), attachments, unreadPages };
}

function toFallbackTitle(text: string): string {
	const [line = ""] = text.split("\n", 1);
	if (line.length <= MAX_FALLBACK_TITLE_CHARACTERS) return line;
	return `${line.slice(0, MAX_FALLBACK_TITLE_CHARACTERS).replace(/\s+\S*$/, "")}…`;
}

/** Adds the text for the word index, which has the words of links that the text does not. */
function withIndexText({ text, place, linkWords }: CutContent): PassageContent {
	const lowerCase = linkWords.length === 0 ? "" : text.toLowerCase();
	const added = linkWords.filter((word) => !lowerCase.includes(word));
	const indexText = toIndexText([text, ...added].join(" "));
	return {
		place,
		text,
		...(indexText !== text && { indexText }),
	};
}
