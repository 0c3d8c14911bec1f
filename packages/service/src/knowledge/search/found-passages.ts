import type { FoundPassage, PassageCopy } from "@stemma/client";
import { takeDistinct } from "@stemma/documents";

/** Hits beyond those asked for: some belong to documents that were replaced or deleted just now. */
const EXTRA_HITS = 16;
const LIMIT_FACTOR = 8;
/** Hits that are looked through for others when those so far repeat each other: a bound on the time of one search. */
const MAX_HITS = 20_000;
/** Copies of one passage that are named. */
const MAX_COPIES = 20;

/** Returns how many hits are read first, and how many after so many were too few. */
export const toHitLimit = (topK: number, tooFew?: number): number =>
	tooFew === undefined ? topK + EXTRA_HITS : tooFew * LIMIT_FACTOR;

/** Passages of different content, and whether there are enough of them. */
export interface DistinctHits {
	readonly passages: readonly FoundPassage[];
	readonly isEnough: boolean;
}

/** Takes the best of those passages that repeat each other, which names the others. */
export function takeShown(found: Iterable<FoundPassage>, topK: number): DistinctHits {
	const repeats = new Map<FoundPassage, PassageCopy[]>();
	const { passages, duplicates } = takeDistinct(found, topK, (passage, repeat) =>
		addRepeat(repeats, passage, repeat),
	);
	return {
		passages: passages.map((passage) => withCopies(passage, repeats.get(passage))),
		isEnough: passages.length === topK || duplicates > MAX_HITS,
	};
}

function addRepeat(
	repeats: Map<FoundPassage, PassageCopy[]>,
	passage: FoundPassage,
	{ passage_id, document_id, knowledge_base_id, knowledge_base, title, source, place }: FoundPassage,
): void {
	const copies = repeats.get(passage) ?? [];
	repeats.set(passage, copies);
	if (copies.length < MAX_COPIES)
		copies.push({ passage_id, document_id, knowledge_base_id, knowledge_base, title, source, place });
}

const withCopies = (passage: FoundPassage, copies: readonly PassageCopy[] = []): FoundPassage =>
	copies.length === 0 ? passage : { ...passage, also_in: copies };
