import type { EmbeddingSpace } from "@stemma/routing";

/**
 * Weights of vectors as shares of what words and their forms have together. That of the embedded model was chosen on the
 * first half of the questions of four English collections.
 */
const VECTOR_WEIGHTS = { embedded: 0.2, others: 1 };

/** Checks whether vectors of a space are of the embedded model, which has no address. */
export const isEmbeddedSpace = ({ base_url }: EmbeddingSpace): boolean => base_url === "";

/** Returns the weight of the vectors of a space. */
export const toVectorWeight = (space: EmbeddingSpace): number =>
	isEmbeddedSpace(space) ? VECTOR_WEIGHTS.embedded : VECTOR_WEIGHTS.others;
