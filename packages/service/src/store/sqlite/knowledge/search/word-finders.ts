import { computeStopWordShare, toQueryWords } from "../../../../knowledge/search/query-words";
import type { HitFinder } from "../../../../knowledge/search/ranked-hits";
import { toWordForms } from "../../../../knowledge/search/word-forms";
import type { JobFile } from "../../../job-file";
import { matchWords } from "./match-words";
import { computeMaxScore } from "./query-statistics";
import type { SearchedIndex } from "./searched-indexes";
import { findByWords } from "./word-hits";

/**
 * Weights of the beginnings of words beside the words. The index cuts English endings itself, so that beginnings add less
 * there. Chosen on the first half of the questions of eight collections.
 */
const FORM_WEIGHTS = { english: 0.08, others: 2 };
/** Share of English stop words from which a query is English: of English questions 19 in 20 have it, of others 1 in 20. */
const MIN_ENGLISH_STOP_WORDS = 0.2;

/** Creates the finders of a query by its words, as passages have them, and by their beginnings. */
export function createWordFinders(
	file: JobFile,
	indexes: readonly SearchedIndex[],
	query: string,
	documents: readonly number[] | undefined,
): HitFinder[] {
	const isEnglish = computeStopWordShare(query) >= MIN_ENGLISH_STOP_WORDS;
	const words = matchWords(file, indexes, toQueryWords(query), !isEnglish);
	if (words.length === 0) return [];
	const scaled = indexes.map((index) => ({ index, maxScore: computeMaxScore(file, index, words) }));
	return [
		{ weight: 1, find: (limit) => findByWords(file, scaled, words, { limit, documents }) },
		{
			weight: isEnglish ? FORM_WEIGHTS.english : FORM_WEIGHTS.others,
			find: (limit) => findByWords(file, scaled, toWordForms(words), { limit, documents }),
		},
	];
}
