import { fuseHits, type WeightedHits } from "./fuse-hits";
import type { Hit } from "./hit";

/** Finds the best hits of one list, at most `limit`. */
export interface HitFinder {
	readonly weight: number;
	readonly find: (limit: number) => readonly Hit[];
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
		const lists = finders.map(({ find, weight }): WeightedHits => ({ hits: find(depth), weight }));
		for (const hit of fuseHits(lists)) if (!ranked.has(hit.number)) ranked.set(hit.number, hit);
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
