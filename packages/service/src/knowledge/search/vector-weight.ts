import type { EmbeddingSpace } from "@stemma/routing";

/**
 * Weights of vectors as shares of what words and their forms have together. That of the embedded model was chosen on the
 * first half of the questions of four English collections; scientific English falls below words from 0.3 on.
 */
const VECTOR_WEIGHTS = { embedded: 0.1, others: 1 };

/** Returns the weight of the vectors of a space. The embedded model has no address. */
export const toVectorWeight = ({ base_url }: EmbeddingSpace): number =>
	base_url === "" ? VECTOR_WEIGHTS.embedded : VECTOR_WEIGHTS.others;
