import type { FoundPassage, PassageCopy } from "@stemma/client";
import { takeDistinct } from "@stemma/documents";
import { type EmbeddingPin, isPinnedTo } from "../../../../knowledge/embeddings/pinned-space";
import type {
	QueryVector,
	SearchInput,
	SearchOutput,
	SearchQuery,
} from "../../../../knowledge/repositories/passage-index";
import type { Hit } from "../../../../knowledge/search/hit";
import { type HitFinder, rankHits } from "../../../../knowledge/search/ranked-hits";
import { isEmbeddedSpace, toVectorWeight } from "../../../../knowledge/search/vector-weight";
import { inSnapshot } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { readPin } from "../jobs/embedding-pins";
import { findDocuments } from "./find-documents";
import { readPassage } from "./read-passage";
import { findSearchedIndexes, type SearchedIndex } from "./searched-indexes";
import { findAmongVectors, findByVector } from "./vector-hits";
import { createWordFinders } from "./word-finders";

/** Hits beyond those asked for: some belong to documents that were replaced or deleted just now. */
const EXTRA_HITS = 16;
/** Hits that are looked through for others when those so far repeat each other: a bound on the time of one search. */
const MAX_HITS = 20_000;
/** Copies of one passage that are named. */
const MAX_COPIES = 20;

/** Finds passages by their words and vectors, best first; of those that repeat each other the best, which names the others. */
export function search(file: JobFile, input: SearchInput): SearchOutput {
	const numbers = findKnowledgeBases(file, input.knowledgeBases);
	const missing = input.knowledgeBases.find((_, index) => numbers[index] === undefined);
	if (missing !== undefined) return { missing };
	const found = [...new Set(numbers)].filter((number) => number !== undefined);
	return { passages: inSnapshot(file, () => findVisible(file, found, input)) };
}

function findVisible(
	file: JobFile,
	knowledgeBases: readonly number[],
	{ queries, topK, filter }: SearchInput,
): readonly FoundPassage[] {
	const documents = filter === undefined ? undefined : findDocuments(file, knowledgeBases, filter);
	if (documents?.length === 0) return [];
	const searched = { knowledgeBases, indexes: findSearchedIndexes(file, knowledgeBases), documents };
	const ranked = rankHits(queries.flatMap((query) => createFinders(file, searched, query)));
	for (let limit = topK + EXTRA_HITS; ; limit *= 8) {
		const hits = ranked.take(limit);
		const repeats = new Map<FoundPassage, PassageCopy[]>();
		const { passages, duplicates } = takeDistinct(readVisible(file, hits), topK, (passage, repeat) =>
			addRepeat(repeats, passage, repeat),
		);
		if (passages.length === topK || duplicates > MAX_HITS || hits.length < limit)
			return passages.map((passage) => withCopies(passage, repeats.get(passage)));
	}
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

/** Numbers of what a search looks through. */
interface Searched {
	readonly knowledgeBases: readonly number[];
	readonly indexes: readonly SearchedIndex[];
	/** Documents whose passages alone are found. Left out: all. */
	readonly documents: readonly number[] | undefined;
}

function createFinders(
	file: JobFile,
	{ knowledgeBases, indexes, documents }: Searched,
	{ text, vector, weight = 1 }: SearchQuery,
): HitFinder[] {
	const wordFinders = createWordFinders(file, indexes, text, documents);
	const comparable =
		vector === undefined
			? []
			: knowledgeBases.filter((number) => isComparable(readPin(file, number), vector));
	const vectorFinders: HitFinder[] =
		vector === undefined || comparable.length === 0
			? []
			: [
					{
						// A query without words, as "???", is found by its vector alone.
						weight: toVectorWeight(vector.space) * (sumWeights(wordFinders) || 1),
						find: (limit) => findByVector(file, comparable, vector.values, { limit, documents }),
						// Its cosines lie close together, so that a passage without one would rank far below the others.
						...(isEmbeddedSpace(vector.space) && {
							findAmong: (numbers: readonly number[]) =>
								findAmongVectors(file, comparable, vector.values, numbers),
						}),
					},
				];
	return [...wordFinders, ...vectorFinders].map((finder) => ({ ...finder, weight: finder.weight * weight }));
}

const sumWeights = (finders: readonly HitFinder[]): number =>
	finders.reduce((sum, { weight }) => sum + weight, 0);

const isComparable = (pin: EmbeddingPin, { space, values }: QueryVector): boolean =>
	!!pin && pin.length === values.length && isPinnedTo(pin, space);

function* readVisible(file: JobFile, hits: readonly Hit[]): Generator<FoundPassage> {
	for (const hit of hits) {
		const passage = readPassage(file, hit);
		if (passage !== undefined) yield passage;
	}
}
