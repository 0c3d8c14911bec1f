import type { Hit } from "./hit";

/** List of hits with the weight of its scores. */
export interface WeightedHits {
	readonly hits: readonly Hit[];
	readonly weight: number;
}

/**
 * Several lists as one, best first: the scores of a passage are added. They are shares of the best possible in each list,
 * so that they compare, and a list in which all are much alike changes little.
 */
export function fuseHits(lists: readonly WeightedHits[]): readonly Hit[] {
	const scores = new Map<number, number>();
	for (const { hits, weight } of lists)
		for (const { number, score } of hits) scores.set(number, (scores.get(number) ?? 0) + weight * score);
	const total = lists.reduce((sum, { weight }) => sum + weight, 0);
	return [...scores]
		.map(([number, score]) => ({ number, score: score / total }))
		.sort((a, b) => b.score - a.score || a.number - b.number);
}
