import type { Payer } from "@stemma/core";
import type { PassageContent } from "@stemma/documents";
import type { EmbeddingSpace } from "@stemma/routing";

/** Payer of calls for vectors. */
export interface EmbeddingPlan {
	readonly payer: Payer;
	/** Sentence that says why. */
	readonly reason: string;
}

/** Makes the vectors of passages. */
export interface PassageEmbedder {
	/** The space that vectors are made in, as long as the process runs; `undefined`: no embedding model is configured. */
	readonly space: EmbeddingSpace | undefined;
	/**
	 * Vectors of texts, in order: one for each, all finite and of one length. What it rejects with decides. An error that
	 * passes (`rate_limited`, `overloaded`, …, one that says when to try again, or one that is not of Stemma) is waited out;
	 * a document that meets it again and again, while a harmless text gets its vector, fails with its code. One that the
	 * operator has to mend (`invalid_credential`, `quota`, …) is waited out too. Any other fails the documents, with its code.
	 */
	embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
	/** Plans a call: who would pay for it, and why. Default: nobody pays. */
	plan?(): Promise<EmbeddingPlan>;
}

/**
 * Returns the text that the vector of a passage is computed from. It includes title and headings, because a passage
 * often leaves out what they say.
 */
export const toEmbeddedText = (title: string, { place: { heading }, text }: PassageContent): string =>
	heading === undefined || heading === title ? `${title}\n\n${text}` : `${title}\n${heading}\n\n${text}`;
