import { computeStopWordShare, type QueryWord, toQueryWords } from "../../../../knowledge/search/query-words";
import type { HitFinder } from "../../../../knowledge/search/ranked-hits";
import { ENGLISH_FORM_LENGTH, FORM_LENGTH, toWordForms } from "../../../../knowledge/search/word-forms";
import type { JobFile } from "../../../job-file";
import { toMatchExpression } from "./match-expression";
import { matchWords } from "./match-words";
import { computeMaxScore } from "./query-statistics";
import type { SearchedIndex } from "./searched-indexes";
import { findByWords } from "./word-hits";

/**
 * Weights of the beginnings of words beside the words. The index cuts English endings itself, so that beginnings add less
 * there. Chosen on the first half of the questions of eight collections.
 */
const FORMS = {
	english: { weight: 0.08, length: ENGLISH_FORM_LENGTH },
	others: { weight: 2, length: FORM_LENGTH },
};
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
	const { weight, length } = isEnglish ? FORMS.english : FORMS.others;
	const forms = toWordForms(words, length);
	const find = (list: readonly QueryWord[]) => (limit: number) =>
		findByWords(file, scaled, list, { limit, documents });
	// Words without other forms, as of unspaced scripts, are looked for once: the second list would be the same.
	if (isSameList(words, forms)) return [{ weight: 1 + weight, find: find(words) }];
	return [
		{ weight: 1, find: find(words) },
		{ weight, find: find(forms) },
	];
}

const isSameList = (words: readonly QueryWord[], others: readonly QueryWord[]): boolean =>
	toMatchExpression(words) === toMatchExpression(others);
