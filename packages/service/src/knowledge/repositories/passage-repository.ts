import type { DocumentFormatName } from "@stemma/client";
import type { RunError } from "@stemma/core";
import type { DocumentAttachment } from "@stemma/documents";
import type { EmbeddingSpace } from "@stemma/routing";
import type { EncodedText } from "../ingest/encode-text";
import type { EncodedPassages } from "../ingest/encoded-passages";

/** Vectors of passages, in their order. */
export interface PassageVectors {
	readonly space: EmbeddingSpace;
	/** All of one length. */
	readonly values: readonly Float32Array[];
}

export interface PassageRange {
	readonly first: number;
	readonly count: number;
}

/** Part of a document that one transaction stores. */
export type StoredPart = PassagesPart | FailedPart;

/** Some passages of a document: mostly all, but a long document comes in several parts, in order. */
export interface PassagesPart {
	readonly kind: "passages";
	readonly upload: number;
	/** Title that the document gives itself. */
	readonly title: string;
	/** The numbers that are kept for all passages of the document. */
	readonly range: PassageRange;
	/** Number of the first passage of this part. */
	readonly first: number;
	readonly passages: EncodedPassages;
	/** Vectors of these passages, in their order. */
	readonly vectors?: PassageVectors;
	/** Text of the document, in its last part; left out where the file is the text, as UTF-8. */
	readonly text?: EncodedText;
	/** All of its attachments that become documents of their own, in its last part. Left out: it has none. */
	readonly attachments?: readonly ReadAttachment[];
	/** Pages of it whose text was not read, in its last part. Left out: all were. */
	readonly unreadPages?: readonly number[];
}

/** File within a document that becomes a document of its own. */
export interface ReadAttachment extends Omit<DocumentAttachment, "format"> {
	readonly format: DocumentFormatName;
	/** SHA-256 of the bytes, hexadecimal. */
	readonly sha256: string;
}

export interface FailedPart {
	readonly kind: "failed";
	readonly upload: number;
	readonly error: RunError;
}

/** Passages of documents that were read, to be stored. */
export interface StorePassagesInput {
	readonly parts: readonly StoredPart[];
	/** Maximum documents of the workspace. Default: any number. */
	readonly maxDocuments?: number | undefined;
	readonly now: number;
}

/** Passages of one workspace, with their words and vectors. */
export interface PassageRepository {
	/**
	 * Reserves numbers for passages.
	 *
	 * @returns the first; the others follow.
	 */
	reserve(count: number): Promise<number>;
	/**
	 * Writes what was read, in one transaction; what a power failure undoes is read again. A document shows its new passages, and the old ones no more, once its last
	 * part is there. Its attachments are queued then as documents of their own: those that it has already stay as they are,
	 * and those that are gone are deleted. Where they would be too many, it is queued again to be read with its attachments
	 * as parts of its text. What was replaced or deleted meanwhile is dropped.
	 *
	 * @returns whether something was put into the queue again: it is to have vectors now, or its attachments in its text.
	 */
	store(input: StorePassagesInput): Promise<boolean>;
	/**
	 * Sweeps away some of what no document shows any more.
	 *
	 * @returns whether there is more to sweep.
	 */
	sweep(): Promise<boolean>;
}
