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
	const { html = "", text = "", subject } = await parseMime(bytes);
	if (html.trim() === "" && text.trim() === "") throw new UnreadableError("it has no page");
	const end = PAGE_END.exec(html);
	const page = html === "" ? readPlainText(text) : readHtml(end === null ? html : html.slice(0, end.index));
	const extraction = createTextExtraction();
	extraction.addParts(page.parts, undefined, 0);
	return extraction.finish(page.title ?? subject);
}
