import { toFoldedWords, toWordParts } from "./folded-words";
import { dropMeasureWords } from "./measure-words";
import { toBeginning, toStem } from "./stems";
import { isStopWord, QUESTION_PHRASES } from "./stop-words";

/** Term of a question. */
export interface QueryTerm {
	/** Word without case and accents, or a pair of characters where words are not spaced. */
	readonly word: string;
	/** Word without its ending. */
	readonly stem: string;
	/** See {@link toWordParts}. */
	readonly parts: readonly string[];
	/** Letters that its other forms begin with, too. */
	readonly beginning: string;
	/** Factor of its weight: names and numbers say more about what is asked for than other words. */
	readonly importance: number;
}

/** The share of each term of a question that a text holds, 0 to 1, in the order of the terms. */
export type Coverage = readonly number[];

/** Returns the share of each term of a question that a text with these words holds. */
export type CoverageReader = (words: Iterable<string>) => Coverage;

const HIRAGANA = /^\p{Script=Hiragana}+$/u;
const FORM_BIT = 1 << 30;
/** Share of a term that a word of the same beginning holds at least. */
const FORM_SHARE = 0.7;
const NAME_IMPORTANCE = 1.5;
/** Bits of a number that can be set and compared. */
const MAX_PARTS = 30;

/** Checks whether a folded word says what a text is about; pairs of hiragana alone are mostly partmar. */
export const isTellingWord = (word: string): boolean => !isStopWord(word) && !HIRAGANA.test(word);

/** Checks whether a word within a question begins with a capital letter or a digit. */
const isName = (word: string): boolean => /^[^\p{L}\p{N}]*[\p{Lu}\p{N}]/u.test(word);

/** The terms of a question, each once, without words for asking. */
export function toQueryTerms(question: string): readonly QueryTerm[] {
	const asked = dropMeasureWords(question).replace(QUESTION_PHRASES, " ");
	const words = toFoldedWords(asked).filter(isTellingWord);
	const names = new Set(question.split(/\s+/).slice(1).filter(isName).flatMap(toFoldedWords));
	const terms = words.map((word) => ({
		word,
		stem: toStem(word),
		parts: toWordParts(word).slice(0, MAX_PARTS),
		beginning: toBeginning(word),
		importance: names.has(word) ? NAME_IMPORTANCE : 1,
	}));
	return [...new Map(terms.map((term) => [term.stem, term])).values()];
}

/**
 * Creates the function that compares a question with texts: a term counts whole where a text has a word of its stem, mostly
 * where one begins as it does, else by the share of its runs of four characters, which finds other endings and parts of
 * compounds in every language.
 */
export function createCoverageReader(terms: readonly QueryTerm[]): CoverageReader {
	const matchWord = createWordMatcher(terms);
	return (words) => {
		const found = new Int32Array(terms.length);
		for (const word of words)
			for (const [term, bits] of matchWord(word)) found[term] = (found[term] ?? 0) | bits;
		return terms.map(({ parts }, index) => {
			const bits = found[index] ?? 0;
			const share = countBits(bits & ~FORM_BIT) / parts.length;
			return (bits & FORM_BIT) === 0 ? share : Math.max(share, FORM_SHARE);
		});
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
			const form = word.startsWith(term.beginning) ? FORM_BIT : 0;
			const bits = term.parts.reduce((sum, part, bit) => (isHeld(part) ? sum | (1 << bit) : sum), form);
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
