import type { EmbeddingSpace } from "@stemma/routing";

/**
 * Weights of vectors as shares of what words and their forms have together. That of the embedded model was chosen on the
 * first half of the questions of four English collections; at the weight of others, product documentation loses 6 points.
 */
const VECTOR_WEIGHTS = { embedded: 0.2, others: 1 };

/** Returns the weight of the vectors of a space. The embedded model has no address. */
export const toVectorWeight = ({ base_url }: EmbeddingSpace): number =>
	base_url === "" ? VECTOR_WEIGHTS.embedded : VECTOR_WEIGHTS.others;
