/**
 * Passages about something else, as if every collection had them: where there are only a few, most words that any of them
 * has are in all of them, and a word that none has would count for more than all others together.
 */
const BACKGROUND_PASSAGES = 20;

/** Inverse document frequency as in BM25, of a word that some of all passages have. */
export function toInverseDocumentFrequency(count: number, total: number): number {
	const others = Math.max(0, total - count) + BACKGROUND_PASSAGES;
	return Math.log(1 + (others + 0.5) / (count + 0.5));
}

/** Number of other passages at which being ahead of them counts half. */
const HALF_WEIGHT_PASSAGES = 4;

/**
 * Weight, 0 to 1, of a passage's lead over others: in a collection of one passage there are none to be ahead of, and in a
 * few, one is ahead by chance.
 */
export function toDistinctionWeight(total: number): number {
	const others = Math.max(0, total - 1);
	return others / (others + HALF_WEIGHT_PASSAGES);
}
