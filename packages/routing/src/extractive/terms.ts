import { STOP_WORDS } from "./stop-words";

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]/u;
const HIRAGANA = /^\p{Script=Hiragana}+$/u;
const ENDINGS = /(?:ations?|ingly|ings?|edly|ments?|ied|ies|ers?|ed|en|es|ly|e|n|s|y)$/;
const MIN_STEM_CHARACTERS = 4;

/**
 * Returns the terms of a text, for comparing: words without case, accents, endings and function words; pairs of
 * characters.
 */
export function toTerms(text: string): Set<string> {
	const folded = text
		.normalize("NFKD")
		.replace(/(\p{Script=Latin}|\p{Script=Greek})\p{M}+/gu, "$1")
		.normalize("NFKC")
		.toLowerCase();
	return new Set((folded.match(WORD) ?? []).flatMap(toWordTerms));
}

function toWordTerms(word: string): string[] {
	if (UNSPACED.test(word)) return toPairs(word);
	return STOP_WORDS.has(word) ? [] : [stem(word)];
}

/** Pairs of hiragana alone are mostly grammar. */
function toPairs(word: string): string[] {
	const characters = [...word];
	if (characters.length === 1) return HIRAGANA.test(word) ? [] : [word];
	const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
	return pairs.filter((pair) => !HIRAGANA.test(pair));
}

/** Cuts common endings of European languages: rough, but the same on both sides of a comparison. */
function stem(word: string): string {
	const [ending = ""] = ENDINGS.exec(word) ?? [];
	const stemmed = word.slice(0, word.length - ending.length);
	if (stemmed.length >= MIN_STEM_CHARACTERS) return stemmed;
	const singular = word.length >= MIN_STEM_CHARACTERS ? word.replace(/(?<=[^s])s$/, "") : word;
	return singular.replace(/(?<=..)e$/, "");
}
