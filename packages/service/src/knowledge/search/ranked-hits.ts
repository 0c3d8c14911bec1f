import { completeHits } from "./complete-hits";
import { fuseHits, type WeightedHits } from "./fuse-hits";
import type { Hit } from "./hit";

/** Finds the best hits of one list, at most `limit`. */
export interface HitFinder {
	readonly weight: number;
	readonly find: (limit: number) => readonly Hit[];
	/**
	 * Returns the hits among passages that other lists have found; see {@link completeHits}. Left out: what the list has not
	 * found counts nothing.
	 */
	readonly findAmong?: (numbers: readonly number[]) => readonly Hit[];
}

/** Hits in an order that does not depend on how many of them are read. */
export interface RankedHits {
	/** Returns the first hits, fewer than `count` where there are no more. */
	take(count: number): readonly Hit[];
}

/** Length of the lists that are fused first; each time that more hits are wanted, it grows by the factor. */
export const FIRST_DEPTH = 256;
const DEPTH_FACTOR = 8;

/** Ranking of the hits of several lists, which grows. */
export interface Ranking {
	/** Length of the lists that it grows by next. */
	readonly depth: number;
	/** Checks whether it has to grow before it has so many hits. */
	needsMore(count: number): boolean;
	/** Grows by the lists of hits, each `depth` long or shorter where there are no more. */
	add(lists: readonly (readonly Hit[])[], completed: readonly WeightedHits[]): void;
	take(count: number): readonly Hit[];
}

/**
 * Creates the ranking of the hits of several lists. Lists are always fused at the same depths, and what is found at a
 * greater depth follows behind what was found before: the first hits are the same however many are asked for.
 */
export function createRanking(listCount: number): Ranking {
	const ranked = new Map<number, Hit>();
	let depth = FIRST_DEPTH;
	let hasMore = listCount > 0;
	return {
		get depth() {
			return depth;
		},
		needsMore: (count) => hasMore && ranked.size < count,
		add(lists, completed) {
			for (const hit of fuseHits(completed)) if (!ranked.has(hit.number)) ranked.set(hit.number, hit);
			hasMore = lists.some((hits) => hits.length >= depth);
			depth *= DEPTH_FACTOR;
		},
		take: (count) => [...ranked.values()].slice(0, count),
	};
}

/** Ranks the hits of several lists that are found at once. */
export function rankHits(finders: readonly HitFinder[]): RankedHits {
	const ranking = createRanking(finders.length);
	return {
		take(count) {
			while (ranking.needsMore(count)) {
				const lists = finders.map(({ find }) => find(ranking.depth));
				ranking.add(lists, completeLists(finders, lists));
			}
			return ranking.take(count);
		},
	};
}

function completeLists(
	finders: readonly HitFinder[],
	lists: readonly (readonly Hit[])[],
): readonly WeightedHits[] {
	const found = toFoundNumbers(lists);
	return finders.map(({ weight, findAmong }, index) => {
		const hits = lists[index] ?? [];
		return { weight, hits: findAmong === undefined ? hits : completeHits(hits, found, findAmong) };
	});
}

/** Numbers of passages that any of the lists has found. */
export const toFoundNumbers = (lists: readonly (readonly Hit[])[]): ReadonlySet<number> =>
	new Set(lists.flatMap((hits) => hits.map(({ number }) => number)));
