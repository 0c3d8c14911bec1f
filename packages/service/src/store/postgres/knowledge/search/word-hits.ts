import { sql } from "kysely";
import type { Hit } from "../../../../knowledge/search/hit";
import { matchWords } from "../../../../knowledge/search/match-words";
import { computeMaxScore, MAX_COUNTED_PASSAGES } from "../../../../knowledge/search/max-score";
import { toQueryWords } from "../../../../knowledge/search/query-words";
import { isEnglish, toWordLists } from "../../../../knowledge/search/word-lists";
import { runLookupAsync } from "../../../../knowledge/search/word-questions";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { answerWordQuestion, countByKnowledgeBase } from "./answer-word-question";
import { computeBm25, computeIdf, type RatedWord } from "./bm25";
import { createPositionFinder } from "./match-postings";
import { findPostings, type Posting } from "./postings";
import { type QueryTokens, toQueryTokens } from "./query-tokens";
import type { SearchedIndex } from "./searched-indexes";

/** Hits by words, all that there are, best first. */
export interface WordHits {
	readonly weight: number;
	readonly hits: readonly Hit[];
}

/**
 * Finds passages by the words of a query, as passages have them, and by their beginnings. Scores are shares of the best
 * possible, 0 to about 1.
 *
 * @param documents - numbers: only passages of these. Left out: all.
 */
export async function findByWords(
	transaction: WorkspaceTransaction,
	indexes: readonly SearchedIndex[],
	query: string,
	documents: readonly number[] | undefined,
): Promise<readonly WordHits[]> {
	const numbers = indexes.map(({ knowledgeBase }) => knowledgeBase);
	const options = { indexCount: indexes.length, hasCompounds: !isEnglish(query) };
	const words = await runLookupAsync(matchWords(toQueryWords(query), options), (question) =>
		answerWordQuestion(transaction, numbers, question),
	);
	const lists = toWordLists(query, words).map((list) => ({ ...list, words: toQueryTokens(list.words) }));
	const [first] = lists;
	if (first === undefined) return [];
	const postings = await findPostings(
		transaction,
		numbers,
		lists.flatMap((list) => list.words),
	);
	const shown = await filterByDocuments(transaction, postings, documents);
	const byIndex = Map.groupBy(postings, ({ knowledgeBase }) => knowledgeBase);
	const scaled = indexes.map((index) =>
		scaleIndex(index, byIndex.get(index.knowledgeBase) ?? [], toQueryTokens(words)),
	);
	return lists.map(({ weight, words: list }) => ({
		weight,
		hits: scaled.flatMap((index) => rankPostings(index, list, shown)).sort(byScore),
	}));
}

const byScore = (a: Hit, b: Hit): number => b.score - a.score || a.number - b.number;

/** Index with its passages that have a word of the query, and the best score that one could have. */
interface ScaledIndex {
	readonly index: SearchedIndex;
	readonly postings: readonly Posting[];
	readonly maxScore: number;
}

function scaleIndex(
	index: SearchedIndex,
	postings: readonly Posting[],
	words: readonly QueryTokens[],
): ScaledIndex {
	const counted = words.map((word) => ({
		word: word.word,
		count: Math.min(MAX_COUNTED_PASSAGES, countPostings(index, postings, word)),
	}));
	return { index, postings, maxScore: computeMaxScore(index.shownCount, counted) };
}

const countPostings = (
	{ knowledgeBase }: SearchedIndex,
	postings: readonly Posting[],
	word: QueryTokens,
): number => countByKnowledgeBase(postings, word).get(knowledgeBase) ?? 0;

function rankPostings(
	{ index, postings, maxScore }: ScaledIndex,
	words: readonly QueryTokens[],
	shown: ReadonlySet<number> | undefined,
): readonly Hit[] {
	const rated = words.map(
		(word): RatedWord => ({
			idf: computeIdf(index.passageCount, countPostings(index, postings, word)),
			find: createPositionFinder(word),
		}),
	);
	return postings.flatMap((posting) => {
		if (shown?.has(posting.number) === false) return [];
		const score = computeBm25(posting, rated, index);
		return score === 0 ? [] : [{ number: posting.number, score: score / maxScore }];
	});
}

/** Filters passages by their documents; `undefined` where those of all documents are wanted. */
async function filterByDocuments(
	transaction: WorkspaceTransaction,
	postings: readonly Posting[],
	documents: readonly number[] | undefined,
): Promise<ReadonlySet<number> | undefined> {
	if (documents === undefined) return undefined;
	const rows = await transaction
		.selectFrom("passages")
		.select("number")
		.where("number", "=", sql<number>`any(${postings.map(({ number }) => number)}::bigint[])`)
		.where("document", "=", sql<number>`any(${documents}::bigint[])`)
		.execute();
	return new Set(rows.map(({ number }) => number));
}
