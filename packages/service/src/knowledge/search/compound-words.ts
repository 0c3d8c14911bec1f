import { UNSPACED_SCRIPTS } from "@stemma/documents";
import type { QueryWord } from "./query-words";

/** Letters between the parts of a compound. */
const LINKS = ["", "s", "es", "n", "en"];
/** Shorter parts are mostly endings. */
const MIN_PART_LETTERS = 4;
/** Words of scripts with blanks between words. */
const LETTERS = new RegExp(`^(?!.*[${UNSPACED_SCRIPTS}])\\p{L}+$`, "u");
/** Words of a query that are joined: a longer one is a pasted text. */
const MAX_JOINED_WORDS = 16;

/** Two words that a compound may consist of. */
export type CompoundParts = readonly [first: string, second: string];

const isPart = (text: string): boolean => [...text].length >= MIN_PART_LETTERS;

/** Splits a word in two in all ways, with and without letters between: `datensicherung` is also `daten` and `sicherung`. */
export function toCompoundParts(word: string): CompoundParts[] {
	if (!LETTERS.test(word)) return [];
	const letters = [...word];
	return letters.flatMap((_, at) => {
		const before = letters.slice(0, at).join("");
		const second = letters.slice(at).join("");
		return LINKS.filter((link) => before.endsWith(link))
			.map((link): CompoundParts => [before.slice(0, before.length - link.length), second])
			.filter((parts) => parts.every(isPart));
	});
}

/** Joins words of a query that follow one another to words that passages may have: `max retries` to `maxretries`. */
export function toJoinedWords(words: readonly QueryWord[]): string[] {
	const texts = words
		.filter(({ text, isPrefix, isOptional }) => !isPrefix && !isOptional && LETTERS.test(text))
		.map(({ text }) => text)
		.slice(0, MAX_JOINED_WORDS);
	return texts.slice(1).map((text, index) => `${texts[index]}${text}`);
}
