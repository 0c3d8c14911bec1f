import type { QueryWord } from "./query-words";

/**
 * Maximum weight of a word in FTS5's BM25 (sqlite.org/fts5.html, section 5.1.1): no word adds more than this times its
 * rarity.
 */
const MAX_BM25_WORD_WEIGHT = 2.2;
const MIN_IDF = 1e-6;
/** Maximum passages that are counted for a word: beyond it a word is common, and counting further takes time. */
export const MAX_COUNTED_PASSAGES = 5000;

/** Word of a query with the number of passages of an index that have it, at most {@link MAX_COUNTED_PASSAGES}. */
export interface CountedWord {
	readonly word: QueryWord;
	readonly count: number;
}

/**
 * Computes the score in a word index of a passage that matches the whole query as well as any could. Scores are given as
 * shares of that maximum: how rare a word is differs from index to index.
 *
 * @param passageCount - number of passages of the index.
 */
export function computeMaxScore(passageCount: number, words: readonly CountedWord[]): number {
	const scores = words.map(({ word, count }) => {
		if (word.isOptional && count === 0) return 0;
		const idf = Math.log((passageCount - count + 0.5) / (count + 0.5));
		return MAX_BM25_WORD_WEIGHT * Math.max(MIN_IDF, Number.isNaN(idf) ? 0 : idf);
	});
	return scores.reduce((sum, score) => sum + score, 0);
}
