import { UNSPACED_SCRIPTS } from "@stemma/documents";
import { stemmer } from "stemmer";

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Scripts whose words are not set apart by blanks, and Korean, whose words carry their grammar with them. */
const BIGRAM_RUN = new RegExp(`[${UNSPACED_SCRIPTS}]+`, "gu");
/** Letters with marks that only colour them; elsewhere a mark makes another letter. */
const FOLDED = /(\p{Script=Latin}|\p{Script=Greek})\p{M}+/gu;

/** The search terms of a text, in order: words folded and stemmed, bigrams where words are not set apart. */
export function toTerms(text: string): string[] {
	return toWords(text).flatMap((word) => toWordTerms(word));
}

/** Words in their folded form, before stemming. */
export function toWords(text: string): string[] {
	const folded = text
		.normalize("NFKC")
		.toLowerCase()
		.normalize("NFKD")
		.replace(FOLDED, "$1")
		.normalize("NFC");
	return folded.match(WORD) ?? [];
}

/** The terms of one folded word. */
export function toWordTerms(word: string): string[] {
	if (/^[a-z]+$/.test(word)) return [stemmer(word)];
	const terms: string[] = [];
	let from = 0;
	for (const { 0: run, index } of word.matchAll(BIGRAM_RUN)) {
		if (index > from) terms.push(word.slice(from, index));
		terms.push(...toBigrams(run));
		from = index + run.length;
	}
	if (from < word.length) terms.push(word.slice(from));
	return terms;
}

function toBigrams(run: string): string[] {
	const characters = [...run];
	if (characters.length === 1) return characters;
	return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
