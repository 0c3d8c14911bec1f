import { completeHits } from "../../../../knowledge/search/complete-hits";
import type { WeightedHits } from "../../../../knowledge/search/fuse-hits";
import type { Hit } from "../../../../knowledge/search/hit";
import { createRanking, toFoundNumbers } from "../../../../knowledge/search/ranked-hits";

/** Finds the best hits of one list, as `HitFinder` of `knowledge/search` does, but later. */
export interface HitSource {
	readonly weight: number;
	readonly find: (limit: number) => Promise<readonly Hit[]>;
	readonly findAmong?: (numbers: readonly number[]) => Promise<readonly Hit[]>;
}

/** Hits in an order that does not depend on how many of them are read. */
export interface RankedHits {
	take(count: number): Promise<readonly Hit[]>;
}

/** Ranks the hits of several lists. */
export function rankHits(sources: readonly HitSource[]): RankedHits {
	const ranking = createRanking(sources.length);
	return {
		async take(count) {
			while (ranking.needsMore(count)) {
				const lists: (readonly Hit[])[] = [];
				for (const { find } of sources) lists.push(await find(ranking.depth));
				ranking.add(lists, await completeLists(sources, lists));
			}
			return ranking.take(count);
		},
	};
}

async function completeLists(
	sources: readonly HitSource[],
	lists: readonly (readonly Hit[])[],
): Promise<readonly WeightedHits[]> {
	const found = toFoundNumbers(lists);
	const completed: WeightedHits[] = [];
	for (const [index, { weight, findAmong }] of sources.entries()) {
		const hits = lists[index] ?? [];
		if (findAmong === undefined) completed.push({ weight, hits });
		else {
			const own = new Set(hits.map(({ number }) => number));
			const others = await findAmong([...found].filter((number) => !own.has(number)));
			completed.push({ weight, hits: completeHits(hits, found, () => others) });
		}
	}
	return completed;
}
