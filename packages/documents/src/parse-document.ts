import { decodeHtml, decodeText } from "./decode";
import type { DocumentFormat } from "./document-format";
import type { ParsedDocument } from "./document-part";
import { readHtml } from "./html/read-html";
import { readMarkdown, readMdx } from "./markdown/read-markdown";
import { readOrg, readPlainText, readRestructuredText } from "./read-plain-text";
import { UnreadableError } from "./unreadable-error";

const PARSERS: Readonly<Record<DocumentFormat["name"], (source: string) => ParsedDocument>> = {
	Markdown: readMarkdown,
	"Markdown with JSX": readMdx,
	text: readPlainText,
	reStructuredText: readRestructuredText,
	Org: readOrg,
	HTML: readHtml,
};

/**
 * Headings and blocks of a document.
 *
 * @throws UnreadableError with the reason.
 */
export function parseDocument(bytes: Uint8Array, { name }: DocumentFormat): ParsedDocument {
	const text = decode(bytes, name);
	try {
		return PARSERS[name](text);
	} catch (error) {
		if (error instanceof UnreadableError) throw error;
		throw new UnreadableError(`it is not ${name} that can be read (${String(error)})`, { cause: error });
	}
}

/** HTML declares its encoding inside. */
function decode(bytes: Uint8Array, name: DocumentFormat["name"]): string {
	const text = name === "HTML" ? decodeHtml(bytes) : decodeText(bytes);
	if (text.includes("\0")) throw new UnreadableError("it holds binary data, not text");
	return text;
}
