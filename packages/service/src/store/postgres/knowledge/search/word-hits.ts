import { sql } from "kysely";
import type { Hit } from "../../../../knowledge/search/hit";
import { matchWords } from "../../../../knowledge/search/match-words";
import { computeMaxScore, MAX_COUNTED_PASSAGES } from "../../../../knowledge/search/max-score";
import { toQueryWords } from "../../../../knowledge/search/query-words";
import { isEnglish, toWordLists } from "../../../../knowledge/search/word-lists";
import { runLookupAsync } from "../../../../knowledge/search/word-questions";
import { answerWordQuestion } from "./answer-word-question";
import { computeIdf, computeWordScore } from "./bm25";
import { type QueryTokens, toQueryTokens } from "./query-tokens";
import type { SearchedIndex } from "./searched-bases";
import type { WordReader } from "./word-reader";

/** Hits by words, all that there are, best first. */
export interface WordHits {
	readonly weight: number;
	readonly hits: readonly Hit[];
}

/**
 * Finds passages by the words of a query, as passages have them, and by their beginnings. Scores are shares of the best
 * possible, 0 to about 1.
 *
 * @param reader - of the words of these indexes.
 * @param documents - numbers: only passages of these. Left out: all.
 */
export async function findByWords(
	reader: WordReader,
	indexes: readonly SearchedIndex[],
	query: string,
	documents: readonly number[] | undefined,
): Promise<readonly WordHits[]> {
	const options = { indexCount: indexes.length, hasCompounds: !isEnglish(query) };
	const words = await runLookupAsync(matchWords(toQueryWords(query), options), (question) =>
		answerWordQuestion(reader, question),
	);
	const lists = toWordLists(query, words).map((list) => ({ ...list, words: toQueryTokens(list.words) }));
	if (lists.length === 0) return [];
	const all = [...toQueryTokens(words), ...lists.flatMap((list) => list.words)];
	await reader.load(all);
	const shown = documents && (await filterByDocuments(reader, all, documents));
	const scaled = indexes.map((index) => ({
		index,
		maxScore: scaleIndex(reader, index, toQueryTokens(words)),
	}));
	return lists.map(({ weight, words: list }) => ({
		weight,
		hits: scaled.flatMap((one) => rankPassages(reader, one, list, shown)).sort(byScore),
	}));
}

const byScore = (a: Hit, b: Hit): number => b.score - a.score || a.number - b.number;

/** Computes the best score that a passage of an index could have. */
function scaleIndex(reader: WordReader, index: SearchedIndex, words: readonly QueryTokens[]): number {
	const counted = words.map((word) => ({
		word: word.word,
		count: Math.min(MAX_COUNTED_PASSAGES, reader.find(index.knowledgeBase, word).numbers.length),
	}));
	return computeMaxScore(index.shownCount, counted);
}

interface ScaledIndex {
	readonly index: SearchedIndex;
	readonly maxScore: number;
}

function rankPassages(
	reader: WordReader,
	{ index, maxScore }: ScaledIndex,
	words: readonly QueryTokens[],
	shown: ReadonlySet<number> | undefined,
): readonly Hit[] {
	const scores = new Map<number, number>();
	for (const word of words) {
		const { numbers, tokenCounts, frequencies } = reader.find(index.knowledgeBase, word);
		const idf = computeIdf(index.passageCount, numbers.length);
		for (const [place, number] of numbers.entries()) {
			if (shown?.has(number) === false) continue;
			const score = computeWordScore(idf, frequencies[place] ?? 0, tokenCounts[place] ?? 0, index);
			scores.set(number, (scores.get(number) ?? 0) + score);
		}
	}
	return [...scores].map(([number, score]) => ({ number, score: score / maxScore }));
}

/** Filters the passages with any of these words by their documents. */
async function filterByDocuments(
	{ transaction, findAll }: WordReader,
	words: readonly QueryTokens[],
	documents: readonly number[],
): Promise<ReadonlySet<number>> {
	const found = new Set(words.flatMap((word) => findAll(word).flatMap(({ numbers }) => numbers)));
	const rows = await transaction
		.selectFrom("passages")
		.select("number")
		.where("number", "=", sql<number>`any(${[...found]}::bigint[])`)
		.where("document", "=", sql<number>`any(${documents}::bigint[])`)
		.execute();
	return new Set(rows.map(({ number }) => number));
}
