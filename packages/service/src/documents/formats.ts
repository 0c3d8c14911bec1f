import type { ParsedDocument } from "./document-part";
import { readHtml } from "./html/read-html";
import { readMarkdown, readMdx } from "./markdown/read-markdown";
import { readOrg, readPlainText, readRestructuredText } from "./read-plain-text";

/** Format of documents, with its parser. */
export interface DocumentFormat {
	readonly name: string;
	/** Extensions in lower case, without the dot. */
	readonly extensions: readonly string[];
	/** HTML files declare their encoding inside. */
	readonly declaresEncoding?: true;
	readonly parse: (source: string) => ParsedDocument;
}

const FORMATS: readonly DocumentFormat[] = [
	{ name: "Markdown", extensions: ["md", "markdown"], parse: readMarkdown },
	{ name: "Markdown with JSX", extensions: ["mdx"], parse: readMdx },
	{ name: "text", extensions: ["txt", "text"], parse: readPlainText },
	{ name: "reStructuredText", extensions: ["rst"], parse: readRestructuredText },
	{ name: "Org", extensions: ["org"], parse: readOrg },
	{ name: "HTML", extensions: ["html", "htm", "xhtml"], declaresEncoding: true, parse: readHtml },
];

const BY_EXTENSION = new Map(
	FORMATS.flatMap((format) => format.extensions.map((extension) => [extension, format] as const)),
);

/** The format of files with an extension (lower case, without the dot), if they can be read. */
export const findFormat = (extension: string): DocumentFormat | undefined => BY_EXTENSION.get(extension);

/** List of the readable formats for messages: `Markdown (.md, .markdown), …`. */
export const READABLE_FORMATS: string = FORMATS.map(
	({ name, extensions }) => `${name} (${extensions.map((extension) => `.${extension}`).join(", ")})`,
).join(", ");
