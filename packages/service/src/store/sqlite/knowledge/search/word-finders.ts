import { matchWords } from "../../../../knowledge/search/match-words";
import { computeMaxScore, MAX_COUNTED_PASSAGES } from "../../../../knowledge/search/max-score";
import { type QueryWord, toQueryWords } from "../../../../knowledge/search/query-words";
import type { HitFinder } from "../../../../knowledge/search/ranked-hits";
import { isEnglish, toWordLists } from "../../../../knowledge/search/word-lists";
import { runLookup } from "../../../../knowledge/search/word-questions";
import type { JobFile } from "../../../job-file";
import { answerWordQuestion } from "./known-words";
import { countPassagesWithWord, type SearchedIndex } from "./searched-indexes";
import { findByWords, type ScaledIndex } from "./word-hits";

/** Creates the finders of a query by its words, as passages have them, and by their beginnings. */
export function createWordFinders(
	file: JobFile,
	indexes: readonly SearchedIndex[],
	query: string,
	documents: readonly number[] | undefined,
): HitFinder[] {
	const options = { indexCount: indexes.length, hasCompounds: !isEnglish(query) };
	const words = runLookup(matchWords(toQueryWords(query), options), (question) =>
		answerWordQuestion(file, indexes, question),
	);
	const lists = toWordLists(query, words);
	if (lists.length === 0) return [];
	const scaled = indexes.map((index) => scaleIndex(file, index, words));
	return lists.map(({ weight, words: list }) => ({
		weight,
		find: (limit) => findByWords(file, scaled, list, { limit, documents }),
	}));
}

const scaleIndex = (file: JobFile, index: SearchedIndex, words: readonly QueryWord[]): ScaledIndex => ({
	index,
	maxScore: computeMaxScore(
		index.passageCount,
		words.map((word) => ({ word, count: countPassagesWithWord(file, index, word, MAX_COUNTED_PASSAGES) })),
	),
});
