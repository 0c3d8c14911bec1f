import { toFoldedWords, toWordParts } from "./folded-words";
import { isStopWord, QUESTION_PHRASES } from "./stop-words";

/** Term of a question. */
export interface QueryTerm {
	/** Word without case and accents, or a pair of characters where words are not spaced. */
	readonly word: string;
	/** Word without its ending. */
	readonly stem: string;
	/** See {@link toWordParts}. */
	readonly parts: readonly string[];
}

/** The share of each term of a question that a text holds, 0 to 1, in the order of the terms. */
export type Coverage = readonly number[];

/** Returns the share of each term of a question that a text with these words holds. */
export type CoverageReader = (words: Iterable<string>) => Coverage;

const HIRAGANA = /^\p{Script=Hiragana}+$/u;
const ENDINGS = /(?:ations?|ingly|ings?|edly|ments?|ied|ies|ers?|ed|en|es|ly|e|n|s|y)$/;
const MIN_STEM_CHARACTERS = 4;
/** Bits of a number that can be set and compared. */
const MAX_PARTS = 30;

/** Checks whether a folded word says what a text is about; pairs of hiragana alone are mostly partmar. */
export const isTellingWord = (word: string): boolean => !isStopWord(word) && !HIRAGANA.test(word);

/** The terms of a question, each once, without words for asking. */
export function toQueryTerms(question: string): readonly QueryTerm[] {
	const words = toFoldedWords(question.replace(QUESTION_PHRASES, " ")).filter(isTellingWord);
	const terms = words.map((word) => ({
		word,
		stem: toStem(word),
		parts: toWordParts(word).slice(0, MAX_PARTS),
	}));
	return [...new Map(terms.map((term) => [term.stem, term])).values()];
}

/**
 * Creates the function that compares a question with texts: a term counts whole where a text has a word of its stem, else
 * by the share of its runs of four characters, which finds other endings and parts of compounds in every language.
 */
export function createCoverageReader(terms: readonly QueryTerm[]): CoverageReader {
	const matchWord = createWordMatcher(terms);
	return (words) => {
		const found = new Int32Array(terms.length);
		for (const word of words)
			for (const [term, bits] of matchWord(word)) found[term] = (found[term] ?? 0) | bits;
		return terms.map(({ parts }, index) => countBits(found[index] ?? 0) / parts.length);
	};
}

type WordMatch = readonly (readonly [term: number, bits: number])[];

/** Returns the terms that a word holds something of; each word is compared once. */
function createWordMatcher(terms: readonly QueryTerm[]): (word: string) => WordMatch {
	const matches = new Map<string, WordMatch>();
	return (word) => {
		const known = matches.get(word);
		if (known !== undefined) return known;
		const stem = toStem(word);
		const parts = new Set(toWordParts(word));
		const match = terms.flatMap((term, index): WordMatch => {
			const isHeld = (part: string) => term.stem === stem || parts.has(part);
			const bits = term.parts.reduce((sum, part, bit) => (isHeld(part) ? sum | (1 << bit) : sum), 0);
			return bits === 0 ? [] : [[index, bits]];
		});
		matches.set(word, match);
		return match;
	};
}

function countBits(bits: number): number {
	let count = 0;
	for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
	return count;
}

/** The weight of a question's terms that a text covers. */
export const sumCovered = (coverage: Coverage, weights: readonly number[]): number =>
	coverage.reduce((sum, share, term) => sum + share * (weights[term] ?? 0), 0);

/** Cuts common endings of European languages: rough, but the same on both sides of a comparison. */
export function toStem(word: string): string {
	const [ending = ""] = ENDINGS.exec(word) ?? [];
	const stemmed = word.slice(0, word.length - ending.length);
	if (stemmed.length >= MIN_STEM_CHARACTERS) return stemmed;
	const singular = word.length >= MIN_STEM_CHARACTERS ? word.replace(/(?<=[^s])s$/, "") : word;
	return singular.replace(/(?<=..)e$/, "");
}
