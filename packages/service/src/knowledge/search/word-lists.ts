import { computeStopWordShare, type QueryWord } from "./query-words";
import { ENGLISH_FORM_LENGTH, FORM_LENGTH, toWordForms } from "./word-forms";

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

/** Words that passages are looked for by, any of them, with the weight of what they find. */
export interface WordList {
	readonly weight: number;
	readonly words: readonly QueryWord[];
}

export const isEnglish = (query: string): boolean => computeStopWordShare(query) >= MIN_ENGLISH_STOP_WORDS;

/**
 * Returns the lists that a query is looked for by: its words, as passages have them, and their beginnings.
 *
 * @param words - matched with those that passages have.
 */
export function toWordLists(query: string, words: readonly QueryWord[]): readonly WordList[] {
	if (words.length === 0) return [];
	const { weight, length } = isEnglish(query) ? FORMS.english : FORMS.others;
	const forms = toWordForms(words, length);
	// Words without other forms, as of unspaced scripts, are looked for once: the second list would be the same.
	if (isSameList(words, forms)) return [{ weight: 1 + weight, words }];
	return [
		{ weight: 1, words },
		{ weight, words: forms },
	];
}

const isSameList = (words: readonly QueryWord[], others: readonly QueryWord[]): boolean =>
	words.length === others.length &&
	words.every(({ text, isPrefix }, index) => {
		const other = others[index];
		return text === other?.text && isPrefix === other.isPrefix;
	});
