import { extname } from "node:path";
import type { DocumentFormatName, ExternalFormatName } from "@stemma/client";

/** A format of documents that can be read. */
export interface DocumentFormat {
	/** Name in messages. */
	readonly name:
		| "Markdown"
		| "Markdown with JSX"
		| "text"
		| "reStructuredText"
		| "Org"
		| "HTML"
		| "PDF"
		| "CSV"
		| "TSV"
		| "Word"
		| "PowerPoint"
		| "OpenDocument text"
		| "OpenDocument presentation"
		| "RTF"
		| "Excel"
		| "OpenDocument spreadsheet"
		| "JSON"
		| "JSON Lines"
		| "Jupyter notebook"
		| "YAML"
		| "XML"
		| "mail"
		| "Outlook mail"
		| "MHTML"
		| "EPUB"
		| "image";
	/** Name in the API, which several share. */
	readonly apiName: Exclude<DocumentFormatName, ExternalFormatName>;
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
const CSV: DocumentFormat = {
	name: "CSV",
	apiName: "csv",
	extensions: ["csv"],
	mediaTypes: ["text/csv", "application/csv"],
};
const EXCEL: DocumentFormat = {
	name: "Excel",
	apiName: "xlsx",
	extensions: ["xlsx", "xlsm", "xltx", "xltm"],
	mediaTypes: [
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		"application/vnd.ms-excel.sheet.macroenabled.12",
	],
};
const OPEN_DOCUMENT_SPREADSHEET: DocumentFormat = {
	name: "OpenDocument spreadsheet",
	apiName: "ods",
	extensions: ["ods", "fods"],
	mediaTypes: [
		"application/vnd.oasis.opendocument.spreadsheet",
		"application/vnd.oasis.opendocument.spreadsheet-flat-xml",
	],
};
const JSON_DATA: DocumentFormat = {
	name: "JSON",
	apiName: "json",
	extensions: ["json", "jsonc"],
	mediaTypes: ["application/json", "text/json"],
};
const YAML: DocumentFormat = {
	name: "YAML",
	apiName: "yaml",
	extensions: ["yaml", "yml"],
	mediaTypes: ["application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"],
};
const XML: DocumentFormat = {
	name: "XML",
	apiName: "xml",
	extensions: ["xml"],
	mediaTypes: ["application/xml", "text/xml"],
};
const EML: DocumentFormat = {
	name: "mail",
	apiName: "eml",
	extensions: ["eml"],
	mediaTypes: ["message/rfc822"],
};
const MSG: DocumentFormat = {
	name: "Outlook mail",
	apiName: "msg",
	extensions: ["msg"],
	mediaTypes: ["application/vnd.ms-outlook"],
};
const MHTML: DocumentFormat = {
	name: "MHTML",
	apiName: "mhtml",
	extensions: ["mhtml", "mht"],
	mediaTypes: ["multipart/related", "application/x-mimearchive"],
};

const PDF: DocumentFormat = {
	name: "PDF",
	apiName: "pdf",
	extensions: ["pdf"],
	mediaTypes: ["application/pdf", "application/x-pdf"],
};
const DOCX: DocumentFormat = {
	name: "Word",
	apiName: "docx",
	extensions: ["docx", "docm", "dotx"],
	mediaTypes: [
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		"application/vnd.openxmlformats-officedocument.wordprocessingml.template",
		"application/vnd.ms-word.document.macroenabled.12",
	],
};
const PPTX: DocumentFormat = {
	name: "PowerPoint",
	apiName: "pptx",
	extensions: ["pptx", "pptm", "ppsx", "potx"],
	mediaTypes: [
		"application/vnd.openxmlformats-officedocument.presentationml.presentation",
		"application/vnd.openxmlformats-officedocument.presentationml.slideshow",
		"application/vnd.openxmlformats-officedocument.presentationml.template",
		"application/vnd.ms-powerpoint.presentation.macroenabled.12",
	],
};
const ODT: DocumentFormat = {
	name: "OpenDocument text",
	apiName: "odt",
	extensions: ["odt", "ott", "fodt"],
	mediaTypes: [
		"application/vnd.oasis.opendocument.text",
		"application/vnd.oasis.opendocument.text-template",
		"application/vnd.oasis.opendocument.text-flat-xml",
	],
};
const ODP: DocumentFormat = {
	name: "OpenDocument presentation",
	apiName: "odp",
	extensions: ["odp", "otp", "fodp"],
	mediaTypes: [
		"application/vnd.oasis.opendocument.presentation",
		"application/vnd.oasis.opendocument.presentation-template",
		"application/vnd.oasis.opendocument.presentation-flat-xml",
	],
};
const RTF: DocumentFormat = {
	name: "RTF",
	apiName: "rtf",
	extensions: ["rtf"],
	mediaTypes: ["application/rtf", "text/rtf"],
};
const EPUB: DocumentFormat = {
	name: "EPUB",
	apiName: "epub",
	extensions: ["epub"],
	mediaTypes: ["application/epub+zip"],
};

/** Images are documents where their text can be recognized alone, and in no list of formats. */
const IMAGE: DocumentFormat = {
	name: "image",
	apiName: "image",
	extensions: ["png", "jpg", "jpeg", "webp", "bmp", "tif", "tiff"],
	mediaTypes: ["image/png", "image/jpeg", "image/webp", "image/bmp", "image/tiff"],
};

const FORMATS: readonly DocumentFormat[] = [
	MARKDOWN,
	{ name: "Markdown with JSX", apiName: "markdown", extensions: ["mdx"], mediaTypes: [] },
	TEXT,
	{ name: "reStructuredText", apiName: "text", extensions: ["rst"], mediaTypes: [] },
	{ name: "Org", apiName: "text", extensions: ["org"], mediaTypes: [] },
	HTML,
	PDF,
	CSV,
	{ name: "TSV", apiName: "csv", extensions: ["tsv", "tab"], mediaTypes: ["text/tab-separated-values"] },
	DOCX,
	PPTX,
	ODT,
	ODP,
	RTF,
	EXCEL,
	OPEN_DOCUMENT_SPREADSHEET,
	JSON_DATA,
	{
		name: "JSON Lines",
		apiName: "json",
		extensions: ["jsonl", "ndjson"],
		mediaTypes: ["application/jsonl", "application/x-ndjson"],
	},
	{
		name: "Jupyter notebook",
		apiName: "json",
		extensions: ["ipynb"],
		mediaTypes: ["application/x-ipynb+json"],
	},
	YAML,
	XML,
	EML,
	MSG,
	MHTML,
	EPUB,
];

/** The format of documents of which only the API's name of it is known. */
export const FORMAT_BY_API_NAME = {
	markdown: MARKDOWN,
	text: TEXT,
	html: HTML,
	pdf: PDF,
	csv: CSV,
	docx: DOCX,
	pptx: PPTX,
	odt: ODT,
	odp: ODP,
	rtf: RTF,
	xlsx: EXCEL,
	ods: OPEN_DOCUMENT_SPREADSHEET,
	json: JSON_DATA,
	yaml: YAML,
	xml: XML,
	eml: EML,
	msg: MSG,
	mhtml: MHTML,
	epub: EPUB,
	image: IMAGE,
} as const;

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
	return BY_EXTENSION.get(toExtension(fileName)) ?? BY_MEDIA_TYPE.get(toMediaType(mediaType));
}

/** The format of an image, by its name, else by its media type, whose text can be recognized; none for other files. */
export function findImageFormat(fileName: string, mediaType = ""): DocumentFormat | undefined {
	const extension = toExtension(fileName);
	const isNamed = IMAGE.extensions.includes(extension);
	const isTyped = !BY_EXTENSION.has(extension) && IMAGE.mediaTypes.includes(toMediaType(mediaType));
	return isNamed || isTyped ? IMAGE : undefined;
}

const toExtension = (fileName: string): string => extname(fileName).toLowerCase().slice(1);

const toMediaType = (mediaType: string): string => mediaType.replace(/;.*/su, "").trim().toLowerCase();
