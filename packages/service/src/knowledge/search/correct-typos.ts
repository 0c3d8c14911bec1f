import type { QueryWord } from "./query-words";
import { toTypoVariants } from "./typo-variants";
import { type BeginningLength, FORM_LENGTH, toBeginning } from "./word-forms";
import { countPassages, filterKnown, isWithin, toWord, type WordLookup } from "./word-questions";

/** Neighbours that a word is replaced by. */
const MAX_CORRECTIONS = 3;
const MAX_COUNTED_PASSAGES = 1_000;
/** Neighbours that are less common than this share of the most common one are left out: they would weigh more for being rare. */
const MIN_SHARE = 0.3;
/** Beginnings that too many words have in common once a letter is replaced: `retu`, of `refunds` and of `returns`. */
const SHORT_LATIN = /^\p{Script=Latin}{1,4}$/u;
/** Beginnings that leave little but an ending. */
const LONG_LENGTH: BeginningLength = {
	...FORM_LENGTH,
	share: 0.8,
	maxCharacters: Number.POSITIVE_INFINITY,
};

/**
 * Returns the words at edit distance 1 that passages have, the most common first; otherwise those of which passages have
 * other forms. Returns none if passages have other forms of the word itself: it has another ending, and no typo.
 */
export function* findCorrections(text: string): WordLookup<readonly QueryWord[]> {
	const word = toWord(text);
	const { likely, others } = toTypoVariants(text);
	if (others.length === 0) return [];
	const groups = [likely.map(toWord), others.map(toWord)];
	const beginning = (yield* hasForms(word, LONG_LENGTH)) ? toBeginning(word, LONG_LENGTH).text : "";
	for (const variants of groups) {
		const found = yield* findCommon(variants.filter((variant) => variant.text.startsWith(beginning)));
		if (found.length > 0) return found;
	}
	if (yield* hasForms(word, FORM_LENGTH)) return [];
	for (const variants of groups)
		for (const length of [LONG_LENGTH, FORM_LENGTH]) {
			const found = yield* filterByBeginning(variants, length);
			if (found.length > 0) return found.slice(0, MAX_CORRECTIONS);
		}
	return [];
}

/** Checks whether passages have words that begin like this one. */
function* hasForms(word: QueryWord, length: BeginningLength): WordLookup<boolean> {
	return (yield* filterKnown([toBeginning(word, length)])).length > 0;
}

/** Finds the most common of these words; of several that are one word to the index, the first. */
function* findCommon(words: readonly QueryWord[]): WordLookup<readonly QueryWord[]> {
	const known = yield* filterKnown(words);
	const counts = yield* countPassages(known, MAX_COUNTED_PASSAGES);
	const counted = known
		.map((word, index) => ({ word, count: counts[index] ?? 0 }))
		.sort((a, b) => b.count - a.count);
	const minCount = (counted[0]?.count ?? 0) * MIN_SHARE;
	const chosen: CountedWord[] = [];
	for (const candidate of counted) {
		if (chosen.length >= MAX_CORRECTIONS || candidate.count < minCount) break;
		if (!(yield* isForm(candidate, chosen))) chosen.push(candidate);
	}
	return chosen.map(({ word }) => word);
}

interface CountedWord {
	readonly word: QueryWord;
	readonly count: number;
}

/** Checks whether a word is the same to the index as another one. */
function* isForm({ word, count }: CountedWord, others: readonly CountedWord[]): WordLookup<boolean> {
	for (const other of others) if (other.count === count && (yield* isWithin(word, other.word))) return true;
	return false;
}

/** Filters the words that a word of a passage begins like; of those with the same beginning the first. */
function* filterByBeginning(
	words: readonly QueryWord[],
	length: BeginningLength,
): WordLookup<readonly QueryWord[]> {
	const byBeginning = Map.groupBy(words, (word) => toBeginning(word, length).text);
	const beginnings = [...byBeginning.keys()]
		.filter((text) => !SHORT_LATIN.test(text))
		.map((text): QueryWord => ({ text, isPrefix: true }));
	const known = yield* filterKnown(beginnings);
	return known.flatMap(({ text }) => byBeginning.get(text)?.[0] ?? []);
}
