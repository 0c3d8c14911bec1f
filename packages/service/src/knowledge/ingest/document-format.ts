import { extname } from "node:path";
import type { DocumentFormatName } from "@stemma/client";

const BY_EXTENSION: ReadonlyMap<string, DocumentFormatName> = new Map([
	["md", "markdown"],
	["markdown", "markdown"],
	["mdx", "markdown"],
	["txt", "text"],
	["text", "text"],
	["rst", "text"],
	["org", "text"],
	["html", "html"],
	["htm", "html"],
	["xhtml", "html"],
]);

const BY_MEDIA_TYPE: ReadonlyMap<string, DocumentFormatName> = new Map([
	["text/markdown", "markdown"],
	["text/x-markdown", "markdown"],
	["text/plain", "text"],
	["text/html", "html"],
	["application/xhtml+xml", "html"],
]);

/** The formats that are read, for messages. */
export const READABLE_FORMATS =
	"Markdown (.md, .markdown, .mdx), text (.txt, .text, .rst, .org) and HTML (.html, .htm, .xhtml)";

/** Returns the extension of a file name in lower case, without the dot; empty for names without one. */
export const extensionOf = (fileName: string): string => extname(fileName).toLowerCase().slice(1);

/** The format of a file by its name, else by its media type; none where neither is known. */
export function findFormat(fileName: string, mediaType: string | undefined): DocumentFormatName | undefined {
	const type = mediaType?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
	return BY_EXTENSION.get(extensionOf(fileName)) ?? BY_MEDIA_TYPE.get(type);
}
