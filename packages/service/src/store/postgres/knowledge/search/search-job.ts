import type { FoundPassage } from "@stemma/client";
import type { EmbeddingSpace } from "@stemma/routing";
import type {
	SearchInput,
	SearchOutput,
	SearchQuery,
} from "../../../../knowledge/repositories/passage-index";
import { takeShown, toHitLimit } from "../../../../knowledge/search/found-passages";
import { FIRST_DEPTH } from "../../../../knowledge/search/ranked-hits";
import { isComparable, isEmbeddedSpace, toVectorWeight } from "../../../../knowledge/search/vector-weight";
import type { PostgresJob, WorkspaceCache } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { findDocuments } from "./find-documents";
import { type HitSource, rankHits } from "./ranked-hits";
import { readPassages } from "./read-passages";
import { findSearchedBases, type SearchedBase, type SearchedIndex } from "./searched-bases";
import { findAmongVectors, findByVector } from "./vector-hits";
import { findByWords } from "./word-hits";
import { createWordReader, type WordReader } from "./word-reader";

/** Finds passages by their words and vectors, best first; of those that repeat each other the best, which names the others. */
export const search: PostgresJob<SearchInput, SearchOutput> = async (transaction, input, cache) => {
	const bases = await findSearchedBases(transaction, input.knowledgeBases);
	const ids = new Set(bases.map(({ id }) => id));
	const missing = input.knowledgeBases.find((id) => !ids.has(id));
	return missing === undefined
		? { passages: await findVisible(transaction, bases, input, cache) }
		: { missing };
};

/** Knowledge bases, indexes and documents that a search looks through. */
interface Searched {
	readonly bases: readonly SearchedBase[];
	readonly indexes: readonly SearchedIndex[];
	/** Reader of the words of these. */
	readonly words: WordReader;
	/** Numbers of the documents whose passages alone are found. Left out: all. */
	readonly documents: readonly number[] | undefined;
}

async function findVisible(
	transaction: WorkspaceTransaction,
	bases: readonly SearchedBase[],
	{ queries, topK, filter }: SearchInput,
	cache: WorkspaceCache | undefined,
): Promise<readonly FoundPassage[]> {
	const numbers = bases.map(({ number }) => number);
	const documents = filter && (await findDocuments(transaction, numbers, filter));
	if (documents?.length === 0) return [];
	const indexes = bases.flatMap(({ index }) => index ?? []);
	const passages = {
		knowledgeBases: indexes.map(({ knowledgeBase }) => knowledgeBase),
		deleted: bases.flatMap(({ deleted }) => deleted),
	};
	const words = createWordReader(transaction, passages, cache);
	const searched = { bases, indexes, words, documents };
	const sources: HitSource[] = [];
	for (const query of queries) sources.push(...(await createSources(transaction, searched, query)));
	const ranked = rankHits(sources);
	for (let limit = toHitLimit(topK); ; limit = toHitLimit(topK, limit)) {
		const hits = await ranked.take(limit);
		const { passages, isEnough } = takeShown(await readPassages(transaction, hits), topK);
		if (isEnough || hits.length < limit) return passages;
	}
}

async function createSources(
	transaction: WorkspaceTransaction,
	searched: Searched,
	query: SearchQuery,
): Promise<readonly HitSource[]> {
	const { indexes, words, documents } = searched;
	const findingWords = findByWords(words, indexes, query.text, documents);
	// The database compares vectors while words are looked through here.
	const vectorSource = startVectorSource(transaction, searched, query);
	const wordHits = await findingWords;
	const sources: readonly HitSource[] = [
		...wordHits.map(({ weight, hits }) => ({
			weight,
			find: async (limit: number) => hits.slice(0, limit),
		})),
		...vectorSource.map(({ space, ...source }) => ({ ...source, weight: toVectorWeight(space, wordHits) })),
	];
	const { weight = 1 } = query;
	return sources.map((source) => ({ ...source, weight: source.weight * weight }));
}

/** Hits by the vector of a query, whose weight depends on those by words. */
interface VectorSource extends Omit<HitSource, "weight"> {
	readonly space: EmbeddingSpace;
}

/** Starts to find the first hits by vector. @returns no source where there is nothing to compare. */
function startVectorSource(
	transaction: WorkspaceTransaction,
	{ bases, documents }: Searched,
	{ vector }: SearchQuery,
): readonly VectorSource[] {
	if (vector === undefined) return [];
	const { space, values } = vector;
	const comparable = bases.filter(({ pin }) => isComparable(pin, vector));
	if (comparable.length === 0) return [];
	const find = (limit: number) => findByVector(transaction, comparable, values, { limit, documents });
	const first = find(FIRST_DEPTH);
	// Where the words fail first, so does the search.
	first.catch(() => undefined);
	return [
		{
			space,
			find: (limit) => (limit === FIRST_DEPTH ? first : find(limit)),
			// Its cosines lie close together, so that a passage without one would rank far below the others.
			...(isEmbeddedSpace(space) && {
				findAmong: (numbers: readonly number[]) => findAmongVectors(transaction, comparable, values, numbers),
			}),
		},
	];
}
