import { UNSPACED_SCRIPTS } from "@stemma/documents";
import type { QueryWord } from "./query-words";

/** Share of a word that its forms have in common, and how many characters that may be. */
const STEM_SHARE = 0.6;
const MIN_STEM_CHARACTERS = 4;
const MAX_STEM_CHARACTERS = 7;
const STAYS_WHOLE = new RegExp(`[${UNSPACED_SCRIPTS}\\d ]`, "u");

/**
 * The beginnings of words, by which their other forms are found: `Häuser` of `Häusern`, `книга` of `книгами`. Short words,
 * numbers, phrases and pairs of characters stay whole.
 */
export function toWordForms(words: readonly QueryWord[]): QueryWord[] {
	const forms = words.map((word) => ({ ...word, ...toForm(word) }));
	return [...new Map(forms.map((form) => [form.text, form])).values()];
}

function toForm({ text, isPrefix }: QueryWord): QueryWord {
	const characters = [
		...text
			.normalize("NFD")
			.replace(/(\p{Script=Latin})\p{M}+/gu, "$1")
			.normalize("NFC"),
	];
	if (characters.length <= MIN_STEM_CHARACTERS || STAYS_WHOLE.test(text)) return { text, isPrefix };
	const length = Math.round(characters.length * STEM_SHARE);
	const kept = Math.max(MIN_STEM_CHARACTERS, Math.min(MAX_STEM_CHARACTERS, length));
	return { text: characters.slice(0, kept).join(""), isPrefix: true };
}
