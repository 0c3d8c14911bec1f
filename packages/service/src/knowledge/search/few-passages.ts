/**
 * Passages about something else, as if every collection had them: where there are one or two, a word that none of them has
 * would count for more than all that they have. Chosen on collections of 1 to 20 paragraphs.
 */
const BACKGROUND_PASSAGES = 5;

/** Inverse document frequency as in BM25, of a word that some of all passages have. */
export function toInverseDocumentFrequency(count: number, total: number): number {
	const others = Math.max(0, total - count) + BACKGROUND_PASSAGES;
	return Math.log(1 + (others + 0.5) / (count + 0.5));
}

/** Weight, 0 to 1, of a passage's lead over others: the share of the passages that are others. */
export const toLeadWeight = (total: number): number => Math.max(0, total - 1) / Math.max(1, total);
