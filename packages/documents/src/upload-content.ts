import type { DocumentFormatName, ExternalFormatName } from "@stemma/client";
import type { Place } from "@stemma/core";
import type { OcrFiles } from "./ocr/ocr-files";

/** A document as it was uploaded, for the process that reads it. */
export interface UploadContent {
	readonly bytes: Uint8Array;
	readonly format: Exclude<DocumentFormatName, ExternalFormatName>;
	readonly fileName: string | null;
	readonly source: string | null;
	/** The bytes are what an external reader has made of the file, in `format`; their text is kept. Default false. */
	readonly isConverted?: boolean;
	/** Text recognition for an image or a scan. Default: none; they fail with `needs_ocr`. */
	readonly ocr?: OcrFiles;
	/**
	 * Text recognition reads what this reading leaves to it: a PDF file of which some pages are scans fails with `needs_ocr`,
	 * and images that are attached to a mail become documents of their own. Default false.
	 */
	readonly leavesImagesToOcr?: boolean;
	/** Attachments of a mail become documents of their own. Default false: they are part of its text. */
	readonly separatesAttachments?: boolean;
}

/** A document that was read. */
export interface DocumentContent {
	/** Title of the document itself; else the name of its file or its source, or else its first words. */
	readonly title: string;
	/** Text that the places refer to; `null` where it is the file itself, in UTF-8 without a byte order mark. */
	readonly text: string | null;
	/** Passages in reading order; at least one. */
	readonly passages: readonly PassageContent[];
	/** Attachments that are not part of the text; see {@link UploadContent.separatesAttachments}. */
	readonly attachments: readonly DocumentAttachment[];
	/** Pages that show something and whose text was not read, such as scans without OCR; of the first {@link MAX_UNREAD_PAGES} without text. */
	readonly unreadPages: readonly number[];
}

/** Pages without text that are looked at for something that they show. */
export const MAX_UNREAD_PAGES = 100;

/** File within a document, to be read as a document of its own. */
export interface DocumentAttachment {
	/** Name of the file, or its number where it has none: `attachment 2`. */
	readonly name: string;
	readonly mediaType: string;
	readonly format: UploadContent["format"];
	readonly bytes: Uint8Array;
}

export interface PassageContent {
	readonly place: Place;
	readonly text: string;
	/** The text for the word index, where that is another. */
	readonly indexText?: string;
}
