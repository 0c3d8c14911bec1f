/**
 * Passages about something else, as if every collection had them: where there are one or two, a word that none of them has
 * would count for more than all that they have. Chosen on collections of 1 to 20 paragraphs.
 */
const BACKGROUND_PASSAGES = 5;
/** Number of other passages at which being ahead of them counts half. Chosen on the same. */
const HALF_WEIGHT_PASSAGES = 2;

/** Inverse document frequency as in BM25, of a word that some of all passages have. */
export function toInverseDocumentFrequency(count: number, total: number): number {
	const others = Math.max(0, total - count) + BACKGROUND_PASSAGES;
	return Math.log(1 + (others + 0.5) / (count + 0.5));
}

/** Weight, 0 to 1, of a passage's lead over others: one alone is ahead of none, and in a few, one is ahead by chance. */
export function toLeadWeight(total: number): number {
	const others = Math.max(0, total - 1);
	return others / (others + HALF_WEIGHT_PASSAGES);
}
