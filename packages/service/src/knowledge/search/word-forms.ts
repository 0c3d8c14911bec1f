import { UNSPACED_SCRIPTS } from "@stemma/documents";
import type { QueryWord } from "./query-words";

/** Share of a word that is a beginning, and how many characters that may be. */
export interface BeginningLength {
	readonly share: number;
	readonly minCharacters: number;
	readonly maxCharacters: number;
}

/** Beginnings that forms of a word have in common. */
export const FORM_LENGTH: BeginningLength = { share: 0.6, minCharacters: 4, maxCharacters: 7 };
/** Beginnings in English, where many words have the same four letters: looking for those took most of the time of a search. */
export const ENGLISH_FORM_LENGTH: BeginningLength = { ...FORM_LENGTH, minCharacters: 5 };
const STAYS_WHOLE = new RegExp(`[${UNSPACED_SCRIPTS}\\d ]`, "u");

/**
 * The beginnings of words, by which their other forms are found: `Häuser` of `Häusern`, `книга` of `книгами`. Short words,
 * numbers, phrases and pairs of characters stay whole.
 */
export function toWordForms(words: readonly QueryWord[], length: BeginningLength): QueryWord[] {
	const forms = words.map((word) => ({ ...word, ...toBeginning(word, length) }));
	return [...new Map(forms.map((form) => [form.text, form])).values()];
}

/** Returns the beginning of a word, or the word itself. */
export function toBeginning(
	{ text, isPrefix }: QueryWord,
	{ share, minCharacters, maxCharacters }: BeginningLength,
): QueryWord {
	const characters = [
		...text
			.normalize("NFD")
			.replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
			.normalize("NFC"),
	];
	if (characters.length < minCharacters || STAYS_WHOLE.test(text)) return { text, isPrefix };
	const length = Math.round(characters.length * share);
	const kept = Math.max(minCharacters, Math.min(maxCharacters, length));
	return { text: characters.slice(0, kept).join(""), isPrefix: true };
}
