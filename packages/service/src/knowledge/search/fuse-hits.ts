import type { Hit } from "./hit";

/** Constant of reciprocal rank fusion, as its authors measured it (Cormack, Clarke, Büttcher 2009). */
const RANK_OFFSET = 60;

/**
 * Several lists as one, best first: a passage scores by its ranks, because scores of different lists do not compare.
 * Of a single list the scores stay as they are.
 */
export function fuseHits(lists: readonly (readonly Hit[])[]): readonly Hit[] {
	const [first = [], ...others] = lists;
	if (others.length === 0) return first;
	const scores = new Map<number, number>();
	for (const list of lists)
		list.forEach(({ number }, index) => {
			scores.set(number, (scores.get(number) ?? 0) + 1 / (RANK_OFFSET + index + 1));
		});
	return [...scores]
		.map(([number, score]) => ({ number, score }))
		.sort((a, b) => b.score - a.score || a.number - b.number);
}
