import type { EmbeddingSpace } from "@stemma/routing";
import type { PassageContent } from "./upload-content";

/** Makes the vectors of passages. */
export interface PassageEmbedder {
	/** The space that vectors are made in, as long as the process runs; `undefined`: no embedding model is configured. */
	readonly space: EmbeddingSpace | undefined;
	/**
	 * Vectors of texts, in order. What it rejects with decides: an error that passes (`rate_limited`, `overloaded`, …, or
	 * one that says when to try again) is waited out, any other Stemma error fails the documents, with its code.
	 */
	embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}

/** What the vector of a passage is made of: a passage often leaves unsaid what its title and headings say. */
export const toEmbeddedText = (title: string, { heading, text }: PassageContent): string =>
	heading === null || heading === title ? `${title}\n\n${text}` : `${title}\n${heading}\n\n${text}`;
