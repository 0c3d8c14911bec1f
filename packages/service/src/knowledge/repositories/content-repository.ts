import type { DocumentFormatName, DocumentStatus } from "@stemma/client";

/** File or text of a document in the store. It never changes: a document that is replaced gets another one. */
export interface StoredContent {
	/** Number of the content. */
	readonly number: number;
	/** Size in bytes. */
	readonly size: number;
	/** SHA-256 of the bytes, hexadecimal. */
	readonly sha256: string;
}

/** Contents of a document, as far as they are stored. */
export interface DocumentContents {
	readonly title: string;
	readonly file_name: string | null;
	readonly format: DocumentFormatName;
	readonly status: DocumentStatus;
	/** File that was uploaded last; earlier versions of the service stored none. */
	readonly original: StoredContent | null;
	/** Text that the passages were cut from, as UTF-8; none before a document is read. */
	readonly text: StoredContent | null;
}

/** Bytes of a content, from `start` to before `end`. */
export interface ByteRange {
	readonly start: number;
	readonly end: number;
}

/** Range of a text in UTF-16 code units. */
export interface TextRange {
	/** Number of a content that is UTF-8. */
	readonly content: number;
	readonly start: number;
	/** Exclusive. Left out: the end of the text. */
	readonly end?: number | undefined;
}

/** Files and texts of the documents of one workspace. */
export interface ContentRepository {
	find(
		knowledgeBase: string,
		document: string,
	): Promise<DocumentContents | "no_knowledge_base" | "no_document">;
	/**
	 * Reads a content from a position on.
	 *
	 * @returns at most 256 KiB, and at least one byte; `undefined` behind the end, and where the content is gone: its
	 * document was deleted or replaced.
	 */
	read(content: number, position: number): Promise<Uint8Array | undefined>;
	/**
	 * Finds the bytes of a range of text. A range behind the end of the text is empty, and a character that is cut in two
	 * is left out. `undefined` where the content is gone.
	 */
	findTextRange(range: TextRange): Promise<ByteRange | undefined>;
}
