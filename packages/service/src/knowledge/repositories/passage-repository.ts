import type { RunError } from "@stemma/core";
import type { PassageContent } from "@stemma/documents";
import type { EmbeddingSpace } from "@stemma/routing";

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
	readonly passages: readonly PassageContent[];
	/** Vectors of these passages, in their order. */
	readonly vectors?: PassageVectors;
}

export interface FailedPart {
	readonly kind: "failed";
	readonly upload: number;
	readonly error: RunError;
}

/** Passages of documents that were read, to be stored. */
export interface StorePassagesInput {
	readonly parts: readonly StoredPart[];
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
	 * Writes what was read, in one transaction. A document shows its new passages, and the old ones no more, once its last
	 * part is there. What was replaced or deleted meanwhile is dropped.
	 *
	 * @returns whether something was put into the queue again: it is to have vectors now.
	 */
	store(input: StorePassagesInput): Promise<boolean>;
	/**
	 * Sweeps away some of what no document shows any more.
	 *
	 * @returns whether there is more to sweep.
	 */
	sweep(): Promise<boolean>;
}
