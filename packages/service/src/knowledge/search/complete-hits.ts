import type { Hit } from "./hit";

/**
 * Gives a list the passages that other lists have found and it has not: with their own scores where they have some, else
 * with the mean of all scores of the list, so that nothing ranks lower for a score that it cannot have.
 *
 * @param found - numbers of passages that any list has found.
 * @param findAmong - returns the hits among passages, in any order.
 */
export function completeHits(
	hits: readonly Hit[],
	found: Iterable<number>,
	findAmong: (numbers: readonly number[]) => readonly Hit[],
): readonly Hit[] {
	const scored = new Map(hits.map((hit) => [hit.number, hit]));
	const missing = [...new Set(found)].filter((number) => !scored.has(number));
	for (const hit of findAmong(missing)) scored.set(hit.number, hit);
	if (scored.size === 0) return hits;
	const mean = [...scored.values()].reduce((sum, { score }) => sum + score, 0) / scored.size;
	const others = missing.filter((number) => !scored.has(number));
	return [...scored.values(), ...others.map((number) => ({ number, score: mean }))];
}
