import type { EmbeddingSpace } from "@stemma/routing";
import { type EmbeddingPin, isPinnedTo } from "../embeddings/pinned-space";
import type { QueryVector } from "../repositories/passage-index";

/**
 * Weights of vectors as shares of what words and their forms have together. That of the embedded model was chosen on the
 * first half of the questions of four English collections.
 */
const VECTOR_WEIGHTS = { embedded: 0.2, others: 1 };

/** Checks whether vectors of a space are of the embedded model, which has no address. */
export const isEmbeddedSpace = ({ base_url }: EmbeddingSpace): boolean => base_url === "";

/**
 * Returns the weight of the hits by vectors of a space.
 *
 * @param wordLists - the lists of hits by words. A query without words, as "???", is found by its vector alone.
 */
export function toVectorWeight(
	space: EmbeddingSpace,
	wordLists: readonly { readonly weight: number }[],
): number {
	const wordWeight = wordLists.reduce((sum, { weight }) => sum + weight, 0);
	return (isEmbeddedSpace(space) ? VECTOR_WEIGHTS.embedded : VECTOR_WEIGHTS.others) * (wordWeight || 1);
}

/** Checks whether a vector can be compared with those of a knowledge base. */
export const isComparable = (pin: EmbeddingPin, { space, values }: QueryVector): boolean =>
	!!pin && pin.length === values.length && isPinnedTo(pin, space);
