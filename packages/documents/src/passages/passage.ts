import type { Place } from "@stemma/core";

/** A document that was read. */
export interface SourceDocument {
	/** `doc_…`, the same for the same path every time. */
	readonly document_id: string;
	readonly title: string;
	/** Relative to the folder, with `/` on every platform. */
	readonly path: string;
}

/** A part of a document that can be found, shown and cited by itself. */
export interface Passage {
	/** `psg_…`, the same for the same place of the same path every time. */
	readonly passage_id: string;
	readonly document_id: string;
	/** The document's title. */
	readonly title: string;
	/** Text without markup; paragraphs are separated by an empty line, list items and table rows by a line end. */
	readonly text: string;
	/** Offsets count in the document's text after decoding, without a byte order mark. */
	readonly place: Place;
	/** The document's path, as in {@link SourceDocument}. */
	readonly path: string;
}
