import type { QueryWord } from "../../../../knowledge/search/query-words";
import { toTypoVariants } from "../../../../knowledge/search/typo-variants";
import { type BeginningLength, FORM_LENGTH, toBeginning } from "../../../../knowledge/search/word-forms";
import type { JobFile } from "../../../job-file";
import { filterKnown, isWithin, toWord } from "./known-words";
import { countPassagesWithWord, type SearchedIndex } from "./searched-indexes";

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
export function findCorrections(
	file: JobFile,
	indexes: readonly SearchedIndex[],
	text: string,
): readonly QueryWord[] {
	const word = toWord(text);
	const { likely, others } = toTypoVariants(text);
	if (others.length === 0) return [];
	const groups = [likely.map(toWord), others.map(toWord)];
	const hasForms = (length: BeginningLength) =>
		filterKnown(file, indexes, [toBeginning(word, length)]).length > 0;
	const beginning = hasForms(LONG_LENGTH) ? toBeginning(word, LONG_LENGTH).text : "";
	for (const variants of groups) {
		const found = findCommon(
			file,
			indexes,
			variants.filter((variant) => variant.text.startsWith(beginning)),
		);
		if (found.length > 0) return found;
	}
	if (hasForms(FORM_LENGTH)) return [];
	for (const variants of groups)
		for (const length of [LONG_LENGTH, FORM_LENGTH]) {
			const found = filterByBeginning(file, indexes, variants, length);
			if (found.length > 0) return found.slice(0, MAX_CORRECTIONS);
		}
	return [];
}

/** Finds the most common of these words; of several that are one word to the index, the first. */
function findCommon(
	file: JobFile,
	indexes: readonly SearchedIndex[],
	words: readonly QueryWord[],
): readonly QueryWord[] {
	const counted = filterKnown(file, indexes, words)
		.map((word) => ({ word, count: countPassages(file, indexes, word) }))
		.sort((a, b) => b.count - a.count);
	const minCount = (counted[0]?.count ?? 0) * MIN_SHARE;
	const chosen: { readonly word: QueryWord; readonly count: number }[] = [];
	for (const { word, count } of counted) {
		if (chosen.length >= MAX_CORRECTIONS || count < minCount) break;
		const isForm = chosen.some((other) => other.count === count && isWithin(file, indexes, word, other.word));
		if (!isForm) chosen.push({ word, count });
	}
	return chosen.map(({ word }) => word);
}

const countPassages = (file: JobFile, indexes: readonly SearchedIndex[], word: QueryWord): number =>
	indexes.reduce((sum, index) => sum + countPassagesWithWord(file, index, word, MAX_COUNTED_PASSAGES), 0);

/** Filters the words that a word of a passage begins like; of those with the same beginning the first. */
function filterByBeginning(
	file: JobFile,
	indexes: readonly SearchedIndex[],
	words: readonly QueryWord[],
	length: BeginningLength,
): readonly QueryWord[] {
	const byBeginning = Map.groupBy(words, (word) => toBeginning(word, length).text);
	const beginnings = [...byBeginning.keys()]
		.filter((text) => !SHORT_LATIN.test(text))
		.map((text): QueryWord => ({ text, isPrefix: true }));
	return filterKnown(file, indexes, beginnings).flatMap(({ text }) => byBeginning.get(text)?.[0] ?? []);
}
