import type { FoundPassage } from "@stemma/client";
import { takeDistinct } from "@stemma/documents";
import { type EmbeddingPin, isPinnedTo } from "../../../../knowledge/embeddings/pinned-space";
import type {
	QueryVector,
	SearchInput,
	SearchOutput,
	SearchQuery,
} from "../../../../knowledge/repositories/passage-index";
import { fuseHits } from "../../../../knowledge/search/fuse-hits";
import type { Hit } from "../../../../knowledge/search/hit";
import { toQueryWords } from "../../../../knowledge/search/query-words";
import { inSnapshot } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { readPin } from "../jobs/embedding-pins";
import { findDocuments } from "./find-documents";
import { readPassage } from "./read-passage";
import { findByVector } from "./vector-hits";
import { findByWords, type HitLimits } from "./word-hits";

/** Hits beyond those asked for: some belong to documents that were replaced or deleted just now. */
const EXTRA_HITS = 16;
/** Hits that are looked through for others when those so far repeat each other: a bound on the time of one search. */
const MAX_HITS = 20_000;
/** Lists that are fused are this long at least: what is good in both may be first in neither. */
const MIN_FUSED_HITS = 16;

/** Finds passages by their words and vectors, best first; of those that repeat each other, the best. */
export function search(file: JobFile, input: SearchInput): SearchOutput {
	const numbers = findKnowledgeBases(file, input.knowledgeBases);
	const missing = input.knowledgeBases.find((_, index) => numbers[index] === undefined);
	if (missing !== undefined) return { missing };
	const found = [...new Set(numbers)].filter((number) => number !== undefined);
	return { passages: inSnapshot(file, () => findVisible(file, found, input)) };
}

/** Finds the best hits of one query by words or by a vector. */
type FindHits = (options: HitLimits) => readonly Hit[];

function findVisible(
	file: JobFile,
	knowledgeBases: readonly number[],
	{ queries, topK, filter }: SearchInput,
): readonly FoundPassage[] {
	const finders = queries.flatMap((query) => toFinders(file, knowledgeBases, query));
	const documents = filter === undefined ? undefined : findDocuments(file, knowledgeBases, filter);
	if (finders.length === 0 || documents?.length === 0) return [];
	const minHits = finders.length === 1 ? topK : Math.max(topK, MIN_FUSED_HITS);
	for (let limit = minHits + EXTRA_HITS; ; limit *= 8) {
		const lists = finders.map((find) => find({ limit, documents }));
		const { passages, duplicates } = takeDistinct(readVisible(file, fuseHits(lists)), topK);
		if (passages.length === topK || duplicates > MAX_HITS || lists.every(({ length }) => length < limit))
			return passages;
	}
}

function toFinders(file: JobFile, knowledgeBases: readonly number[], query: SearchQuery): FindHits[] {
	const finders: FindHits[] = [];
	const words = toQueryWords(query.text);
	if (words.length > 0) finders.push((options) => findByWords(file, knowledgeBases, words, options));
	const { vector } = query;
	if (vector === undefined) return finders;
	const comparable = knowledgeBases.filter((number) => isComparable(readPin(file, number), vector));
	if (comparable.length > 0)
		finders.push((options) => findByVector(file, comparable, vector.values, options));
	return finders;
}

const isComparable = (pin: EmbeddingPin, { space, values }: QueryVector): boolean =>
	!!pin && pin.length === values.length && isPinnedTo(pin, space);

function* readVisible(file: JobFile, hits: readonly Hit[]): Generator<FoundPassage> {
	for (const hit of hits) {
		const passage = readPassage(file, hit);
		if (passage !== undefined) yield passage;
	}
}
