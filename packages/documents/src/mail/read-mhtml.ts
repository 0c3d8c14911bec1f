import type { Attachment } from "postal-mime";
import { decodeHtml } from "../decode";
import type { ParsedDocument } from "../document-part";
import { readHtml } from "../html/read-html";
import { readPlainText } from "../read-plain-text";
import { createTextExtraction } from "../text-extraction";
import { UnreadableError } from "../unreadable-error";
import { parseMime } from "./parse-mime";

/** End of the main page; those of its frames follow. */
const PAGE_END = /<\/html\s*>/iu;

/** Reads the main page of a saved web page. @throws UnreadableError */
export async function readMhtml(bytes: Uint8Array): Promise<ParsedDocument> {
	const { html: parsed, text = "", subject, attachments } = await parseMime(bytes);
	const html = parsed ?? findXhtml(attachments) ?? "";
	if (html.trim() === "" && text.trim() === "") throw new UnreadableError("it has no page");
	const end = PAGE_END.exec(html);
	const page = html === "" ? readPlainText(text) : readHtml(end === null ? html : html.slice(0, end.index));
	const extraction = createTextExtraction();
	extraction.addParts(page.parts, undefined, 0);
	return extraction.finish(page.title ?? subject);
}

/** Page of XML, which the parser takes for an attachment. */
function findXhtml(attachments: readonly Attachment[]): string | undefined {
	const page = attachments.find(({ mimeType }) => mimeType === "application/xhtml+xml");
	if (page === undefined) return undefined;
	return typeof page.content === "string" ? page.content : decodeHtml(new Uint8Array(page.content));
}
