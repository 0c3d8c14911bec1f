import type { DocumentFormatName } from "@stemma/client";

/** A document as it was uploaded, for the thread that reads it. */
export interface UploadContent {
	readonly bytes: Uint8Array;
	readonly format: DocumentFormatName;
	readonly fileName: string | null;
	readonly source: string | null;
}

/** A document that was read. */
export interface DocumentContent {
	/** Title of the document itself; else the name of its file or its source, or else its first words. */
	readonly title: string;
	/** Passages in reading order; at least one. */
	readonly passages: readonly PassageContent[];
}

export interface PassageContent {
	readonly heading: string | null;
	readonly page: number | null;
	readonly start: number;
	readonly end: number;
	readonly text: string;
	/** The text for the word index, where that is another. */
	readonly indexText?: string;
}
