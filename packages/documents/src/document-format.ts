import { extname } from "node:path";
import type { DocumentFormatName } from "@stemma/client";

/** A format of documents that can be read. */
export interface DocumentFormat {
	/** Name in messages. */
	readonly name: "Markdown" | "Markdown with JSX" | "text" | "reStructuredText" | "Org" | "HTML";
	/** Name in the API, which several share. */
	readonly apiName: DocumentFormatName;
	/** Extensions in lower case, without the dot. */
	readonly extensions: readonly string[];
	readonly mediaTypes: readonly string[];
}

const MARKDOWN: DocumentFormat = {
	name: "Markdown",
	apiName: "markdown",
	extensions: ["md", "markdown"],
	mediaTypes: ["text/markdown", "text/x-markdown"],
};
const TEXT: DocumentFormat = {
	name: "text",
	apiName: "text",
	extensions: ["txt", "text"],
	mediaTypes: ["text/plain"],
};
const HTML: DocumentFormat = {
	name: "HTML",
	apiName: "html",
	extensions: ["html", "htm", "xhtml"],
	mediaTypes: ["text/html", "application/xhtml+xml"],
};

const FORMATS: readonly DocumentFormat[] = [
	MARKDOWN,
	{ name: "Markdown with JSX", apiName: "markdown", extensions: ["mdx"], mediaTypes: [] },
	TEXT,
	{ name: "reStructuredText", apiName: "text", extensions: ["rst"], mediaTypes: [] },
	{ name: "Org", apiName: "text", extensions: ["org"], mediaTypes: [] },
	HTML,
];

/** The format of documents of which only the API's name of it is known. */
export const FORMAT_BY_API_NAME = { markdown: MARKDOWN, text: TEXT, html: HTML } as const;

const BY_EXTENSION = new Map(
	FORMATS.flatMap((format) => format.extensions.map((extension) => [extension, format] as const)),
);
const BY_MEDIA_TYPE = new Map(
	FORMATS.flatMap((format) => format.mediaTypes.map((mediaType) => [mediaType, format] as const)),
);

/** List of the readable formats for messages: `Markdown (.md, .markdown), …`. */
export const READABLE_FORMATS: string = FORMATS.map(
	({ name, extensions }) => `${name} (${extensions.map((extension) => `.${extension}`).join(", ")})`,
).join(", ");

/** The format of a file by its name, else by its media type; none where neither is known. */
export function findFormat(fileName: string, mediaType = ""): DocumentFormat | undefined {
	const [type = ""] = mediaType.split(";", 1);
	return (
		BY_EXTENSION.get(extname(fileName).toLowerCase().slice(1)) ?? BY_MEDIA_TYPE.get(type.trim().toLowerCase())
	);
}
