import { decodeHtml, decodeText } from "./decode";
import { findAttachmentFormat, resolveFormat } from "./detection/resolve-format";
import type { DocumentFormat } from "./document-format";
import type { ParsedDocument } from "./document-part";
import { readHtml } from "./html/read-html";
import type { MailAttachment, ParseAttachment } from "./mail/mail-message";
import { readMarkdown, readMdx } from "./markdown/read-markdown";
import type { Recognition } from "./ocr/recognition";
import { readOrg, readPlainText, readRestructuredText } from "./read-plain-text";
import { nestingError, UnreadableError } from "./unreadable-error";

type FormatName = DocumentFormat["name"];

/** Reader of a format whose text has to be extracted. @throws UnreadableError with the reason. */
export type FileReader = (
	bytes: Uint8Array,
	/** Reads a document within the document. */
	parse: ParseAttachment,
	/** Reading of what pictures show. */
	recognition: Recognition,
) => ParsedDocument | Promise<ParsedDocument>;

/** Takes an attachment as a document of its own; `false`: it stays part of its mail. */
export type TakeAttachment = (
	attachment: Pick<MailAttachment, "name" | "mediaType" | "bytes">,
	format: DocumentFormat,
) => boolean;

/** Options of parsing a document. */
export interface ParseOptions extends Recognition {
	/** Default: all attachments are part of their mail. */
	readonly takeAttachment?: TakeAttachment;
}

/** Messages within messages. */
const MAX_ATTACHMENT_DEPTH = 5;

/** Reader of each format; those of large libraries are loaded when the first such file comes. */
const READERS: Readonly<Record<FormatName, () => FileReader | Promise<FileReader>>> = {
	Markdown: () => readAsText(readMarkdown),
	"Markdown with JSX": () => readAsText(readMdx),
	text: () => readAsText(readPlainText),
	reStructuredText: () => readAsText(readRestructuredText),
	Org: () => readAsText(readOrg),
	HTML: () => readAsText(readHtml, decodeHtml),
	PDF: async () => {
		const { readPdf } = await import("./pdf/read-pdf");
		return (bytes, _parse, recognition) => readPdf(bytes, recognition);
	},
	image: async () => {
		const { readImage } = await import("./ocr/read-image");
		return (bytes, _parse, { ocr }) => readImage(bytes, ocr);
	},
	CSV: async () => readAsText((await import("./sheets/read-csv")).readCsv),
	TSV: async () => readAsText((await import("./sheets/read-csv")).readTsv),
	Word: async () => (await import("./office/docx/read-docx")).readDocx,
	PowerPoint: async () => (await import("./office/pptx/read-pptx")).readPptx,
	"OpenDocument text": async () => (await import("./office/odf/read-odt")).readOdt,
	"OpenDocument presentation": async () => (await import("./office/odf/read-odp")).readOdp,
	RTF: async () => (await import("./office/rtf/read-rtf")).readRtf,
	Excel: async () => (await import("./sheets/xlsx/read-xlsx")).readXlsx,
	"OpenDocument spreadsheet": async () => (await import("./sheets/read-ods")).readOds,
	JSON: async () => readAsText((await import("./data/read-json")).readJson),
	"JSON Lines": async () => readAsText((await import("./data/read-json")).readJsonLines),
	"Jupyter notebook": async () => readAsText((await import("./data/read-notebook")).readNotebook),
	YAML: async () => readAsText((await import("./data/read-yaml")).readYaml),
	XML: async () => (await import("./data/read-xml-data")).readXmlData,
	mail: async () => (await import("./mail/read-eml")).readEml,
	"Outlook mail": async () => (await import("./mail/read-msg")).readMsg,
	MHTML: async () => (await import("./mail/read-mhtml")).readMhtml,
	EPUB: async () => (await import("./epub/read-epub")).readEpub,
};

/**
 * Headings and blocks of a document.
 *
 * @param named - format by the document's name; the content decides where the two differ.
 * @throws UnreadableError with the reason.
 */
export const parseDocument = (
	bytes: Uint8Array,
	named: DocumentFormat,
	options: ParseOptions = {},
): Promise<ParsedDocument> => parseWithin(bytes, named, { ...options, depth: 0 });

async function parseWithin(
	bytes: Uint8Array,
	named: DocumentFormat,
	{ depth, ...options }: ParseOptions & { readonly depth: number },
): Promise<ParsedDocument> {
	const { ocr, leavesImagesToOcr = false, takeAttachment } = options;
	const { name } = resolveFormat(bytes, named, { readsImages: ocr !== undefined });
	const read = await READERS[name]();
	try {
		const parse: ParseAttachment = async (attachment) => {
			const format = findAttachmentFormat(attachment, { readsImages: leavesImagesToOcr });
			if (takeAttachment?.(attachment, format)) return { parts: [] };
			if (depth >= MAX_ATTACHMENT_DEPTH) throw nestingError("messages");
			return parseWithin(attachment.bytes, format, { ...options, depth: depth + 1 });
		};
		// What is part of a mail's text is read in this reading alone.
		return await read(bytes, parse, { ocr, leavesImagesToOcr: leavesImagesToOcr && depth === 0 });
	} catch (error) {
		if (error instanceof UnreadableError) throw error;
		throw new UnreadableError(`reading it as ${name} failed (${String(error)})`, { cause: error });
	}
}

const readAsText =
	(parse: (source: string) => ParsedDocument, decode = decodeText): FileReader =>
	(bytes) => {
		const text = decode(bytes);
		if (text.includes("\0")) throw new UnreadableError("it holds binary data, not text");
		const parsed = parse(text);
		return Buffer.from(text).equals(bytes) ? parsed : { ...parsed, text };
	};
