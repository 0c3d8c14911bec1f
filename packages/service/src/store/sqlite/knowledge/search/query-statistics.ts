import type { QueryWord } from "../../../../knowledge/search/query-words";
import type { JobFile } from "../../../job-file";
import { countPassagesWithWord, type SearchedIndex } from "./searched-indexes";

/**
 * Maximum weight of a word in FTS5's BM25 (sqlite.org/fts5.html, section 5.1.1): no word adds more than this times its
 * rarity.
 */
const MAX_BM25_WORD_WEIGHT = 2.2;
const MIN_IDF = 1e-6;
/** Maximum passages that are counted for a word: beyond it a word is common, and counting further takes time. */
const MAX_COUNTED_PASSAGES = 5000;

/**
 * Computes the score in a word index of a passage that matches the whole query as well as any could. Scores are given as
 * shares of that maximum: how rare a word is differs from index to index.
 */
export function computeMaxScore(file: JobFile, index: SearchedIndex, words: readonly QueryWord[]): number {
	const scores = words.map((word) => {
		const count = countPassagesWithWord(file, index, word, MAX_COUNTED_PASSAGES);
		if (word.isOptional && count === 0) return 0;
		const idf = Math.log((index.passageCount - count + 0.5) / (count + 0.5));
		return MAX_BM25_WORD_WEIGHT * Math.max(MIN_IDF, Number.isNaN(idf) ? 0 : idf);
	});
	return scores.reduce((sum, score) => sum + score, 0);
}
