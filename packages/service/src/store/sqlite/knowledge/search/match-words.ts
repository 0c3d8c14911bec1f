import { toCompoundParts, toJoinedWords } from "../../../../knowledge/search/compound-words";
import type { QueryWord } from "../../../../knowledge/search/query-words";
import { toAffirmed, toUnprefixed } from "../../../../knowledge/search/word-prefixes";
import type { JobFile } from "../../../job-file";
import { findCorrections } from "./correct-typos";
import { filterKnown, toWord } from "./known-words";
import { countPassagesWithWord, type SearchedIndex } from "./searched-indexes";

/** Looking up the neighbours of a word takes about a millisecond an index; in more of them, words stay as they are. */
const MAX_INDEXES = 8;
/** Words of a query that are replaced: most have none. */
const MAX_REPLACED_WORDS = 4;
/** Words that a query of keywords has; in sentences of other languages than English, joined neighbours mean something else. */
const MAX_KEYWORDS = 4;
/** Negated words are rarer by more than this than what they negate, to be looked for as that. */
const MIN_TIMES_AS_COMMON = 10;
const MAX_COUNTED_PASSAGES = 1_000;

/**
 * Matches the words of a query with those that the searched passages have. A word that none has is given the parts of a
 * compound that some have, or itself without a prefix, or replaced by those that it may be a typo of; else it stays.
 * Words that follow one another are also looked for as one, where a passage has that, and negated words as what they negate.
 *
 * @param hasCompounds - true for languages that write compounds as one word; English does not.
 */
export function matchWords(
	file: JobFile,
	indexes: readonly SearchedIndex[],
	words: readonly QueryWord[],
	hasCompounds: boolean,
): QueryWord[] {
	if (indexes.length > MAX_INDEXES) return [...words];
	const isJoined = !hasCompounds || words.length <= MAX_KEYWORDS;
	const joined = isJoined ? toJoinedWords(words).map(toWord).map(toOptional) : [];
	const known = new Set(filterKnown(file, indexes, [...words, ...joined]));
	const affirmed = words.flatMap((word) => findAffirmed(file, indexes, word));
	let replaced = 0;
	const matched = words.flatMap((word) => {
		if (known.has(word) || replaced >= MAX_REPLACED_WORDS || word.isPrefix || word.isOptional) return [word];
		replaced += 1;
		const parts = hasCompounds ? findParts(file, indexes, word.text) : [];
		const within = parts.length > 0 ? parts : findUnprefixed(file, indexes, word.text);
		if (within.length > 0) return [word, ...within];
		const corrections = findCorrections(file, indexes, word.text);
		return corrections.length === 0 ? [word] : corrections;
	});
	const added = [...joined.filter((word) => known.has(word)), ...affirmed];
	return [...new Map([...added, ...matched].map((word) => [word.text, word])).values()];
}

const toOptional = (word: QueryWord): QueryWord => ({ ...word, isOptional: true });

/** Finds the parts of a compound, both of which passages have. */
function findParts(file: JobFile, indexes: readonly SearchedIndex[], text: string): QueryWord[] {
	const splits = toCompoundParts(text);
	const known = new Set(
		filterKnown(file, indexes, [...new Set(splits.flat())].map(toWord)).map((word) => word.text),
	);
	const parts = splits.find((split) => split.every((part) => known.has(part))) ?? [];
	return parts.map(toWord).map(toOptional);
}

/** Finds the word without its prefix, where passages have that. */
const findUnprefixed = (file: JobFile, indexes: readonly SearchedIndex[], text: string): QueryWord[] =>
	filterKnown(file, indexes, toUnprefixed(text).map(toWord)).slice(0, 1).map(toOptional);

/** Finds what a word negates, where that is what passages mostly say: `unsteady` and `steady` are two things where both are common. */
function findAffirmed(file: JobFile, indexes: readonly SearchedIndex[], word: QueryWord): QueryWord[] {
	if (word.isPrefix || word.isOptional) return [];
	const count = (one: QueryWord): number =>
		indexes.reduce((sum, index) => sum + countPassagesWithWord(file, index, one, MAX_COUNTED_PASSAGES), 0);
	return toAffirmed(word.text)
		.map(toWord)
		.filter((base) => count(base) > MIN_TIMES_AS_COMMON * count(word))
		.map(toOptional);
}
