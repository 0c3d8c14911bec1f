import type { FoundPassage } from "@stemma/client";
import type {
	SearchInput,
	SearchOutput,
	SearchQuery,
} from "../../../../knowledge/repositories/passage-index";
import { takeShown, toHitLimit } from "../../../../knowledge/search/found-passages";
import type { Hit } from "../../../../knowledge/search/hit";
import { type HitFinder, rankHits } from "../../../../knowledge/search/ranked-hits";
import { isComparable, isEmbeddedSpace, toVectorWeight } from "../../../../knowledge/search/vector-weight";
import { inSnapshot } from "../../../in-transaction";
import type { JobFile } from "../../../job-file";
import { findKnowledgeBases } from "../find-knowledge-bases";
import { readPin } from "../jobs/embedding-pins";
import { findDocuments } from "./find-documents";
import { readPassage } from "./read-passage";
import { findSearchedIndexes, type SearchedIndex } from "./searched-indexes";
import { findAmongVectors, findByVector } from "./vector-hits";
import { createWordFinders } from "./word-finders";

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
	for (let limit = toHitLimit(topK); ; limit = toHitLimit(topK, limit)) {
		const hits = ranked.take(limit);
		const { passages, isEnough } = takeShown(readVisible(file, hits), topK);
		if (isEnough || hits.length < limit) return passages;
	}
}

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
						weight: toVectorWeight(vector.space, wordFinders),
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

function* readVisible(file: JobFile, hits: readonly Hit[]): Generator<FoundPassage> {
	for (const hit of hits) {
		const passage = readPassage(file, hit);
		if (passage !== undefined) yield passage;
	}
}
