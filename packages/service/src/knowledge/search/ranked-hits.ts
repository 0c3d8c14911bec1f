import { completeHits } from "./complete-hits";
import { fuseHits } from "./fuse-hits";
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
const FIRST_DEPTH = 256;
const DEPTH_FACTOR = 8;

/**
 * Ranks the hits of several lists. Lists are always fused at the same depths, and what is found at a greater depth follows
 * behind what was found before: the first hits are the same however many are asked for.
 */
export function rankHits(finders: readonly HitFinder[]): RankedHits {
	const ranked = new Map<number, Hit>();
	let depth = FIRST_DEPTH;
	let hasMore = finders.length > 0;
	function extend(): void {
		const lists = finders.map(({ find, ...finder }) => ({ ...finder, hits: find(depth) }));
		for (const hit of fuseHits(completeLists(lists)))
			if (!ranked.has(hit.number)) ranked.set(hit.number, hit);
		hasMore = lists.some(({ hits }) => hits.length >= depth);
		depth *= DEPTH_FACTOR;
	}
	return {
		take(count) {
			while (hasMore && ranked.size < count) extend();
			return [...ranked.values()].slice(0, count);
		},
	};
}

type FoundHits = Omit<HitFinder, "find"> & { readonly hits: readonly Hit[] };

function completeLists(lists: readonly FoundHits[]): readonly FoundHits[] {
	if (lists.every(({ findAmong }) => findAmong === undefined)) return lists;
	const found = new Set(lists.flatMap(({ hits }) => hits.map(({ number }) => number)));
	return lists.map((list) =>
		list.findAmong === undefined ? list : { ...list, hits: completeHits(list.hits, found, list.findAmong) },
	);
}
