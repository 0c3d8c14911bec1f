import { toCompoundParts, toJoinedWords } from "./compound-words";
import { findCorrections } from "./correct-typos";
import type { QueryWord } from "./query-words";
import { toAffirmed, toUnprefixed } from "./word-prefixes";
import { countPassages, filterKnown, toWord, type WordLookup } from "./word-questions";

/** Looking up the neighbours of a word takes about a millisecond an index; in more of them, words stay as they are. */
const MAX_INDEXES = 8;
/** Words of a query that are replaced: most have none. */
const MAX_REPLACED_WORDS = 4;
/** Words that a query of keywords has; in sentences of other languages than English, joined neighbours mean something else. */
const MAX_KEYWORDS = 4;
/** Negated words are rarer by more than this than what they negate, to be looked for as that. */
const MIN_TIMES_AS_COMMON = 10;
const MAX_COUNTED_PASSAGES = 1_000;

/** Options of matching words. */
export interface MatchOptions {
	/** Number of word indexes that are searched. */
	readonly indexCount: number;
	/** True for languages that write compounds as one word; English does not. */
	readonly hasCompounds: boolean;
}

/**
 * Matches the words of a query with those that the searched passages have. A word that none has is given the parts of a
 * compound that some have, or itself without a prefix, or replaced by those that it may be a typo of; else it stays.
 * Words that follow one another are also looked for as one, where a passage has that, and negated words as what they negate.
 */
export function* matchWords(
	words: readonly QueryWord[],
	{ indexCount, hasCompounds }: MatchOptions,
): WordLookup<QueryWord[]> {
	if (indexCount > MAX_INDEXES) return [...words];
	const isJoined = !hasCompounds || words.length <= MAX_KEYWORDS;
	const joined = isJoined ? toJoinedWords(words).map(toWord).map(toOptional) : [];
	const known = new Set(yield* filterKnown([...words, ...joined]));
	const affirmed: QueryWord[] = [];
	for (const word of words) affirmed.push(...(yield* findAffirmed(word)));
	const matched: QueryWord[] = [];
	let replaced = 0;
	for (const word of words) {
		const isMatched = known.has(word) || replaced >= MAX_REPLACED_WORDS || word.isPrefix || word.isOptional;
		if (!isMatched) replaced += 1;
		matched.push(...(isMatched ? [word] : yield* replaceUnknown(word, hasCompounds)));
	}
	const added = [...joined.filter((word) => known.has(word)), ...affirmed];
	return [...new Map([...added, ...matched].map((word) => [word.text, word])).values()];
}

const toOptional = (word: QueryWord): QueryWord => ({ ...word, isOptional: true });

/** Returns what is looked for in place of a word that no passage has. */
function* replaceUnknown(word: QueryWord, hasCompounds: boolean): WordLookup<readonly QueryWord[]> {
	const parts = hasCompounds ? yield* findParts(word.text) : [];
	const within = parts.length > 0 ? parts : yield* findUnprefixed(word.text);
	if (within.length > 0) return [word, ...within];
	const corrections = yield* findCorrections(word.text);
	return corrections.length === 0 ? [word] : corrections;
}

/** Finds the parts of a compound, both of which passages have. */
function* findParts(text: string): WordLookup<QueryWord[]> {
	const splits = toCompoundParts(text);
	const found = yield* filterKnown([...new Set(splits.flat())].map(toWord));
	const known = new Set(found.map((word) => word.text));
	const parts = splits.find((split) => split.every((part) => known.has(part))) ?? [];
	return parts.map(toWord).map(toOptional);
}

/** Finds the word without its prefix, where passages have that. */
function* findUnprefixed(text: string): WordLookup<QueryWord[]> {
	const found = yield* filterKnown(toUnprefixed(text).map(toWord));
	return found.slice(0, 1).map(toOptional);
}

/** Finds what a word negates, where that is what passages mostly say: `unsteady` and `steady` are two things where both are common. */
function* findAffirmed(word: QueryWord): WordLookup<QueryWord[]> {
	if (word.isPrefix || word.isOptional) return [];
	const bases = toAffirmed(word.text).map(toWord);
	if (bases.length === 0) return [];
	const [count = 0, ...counts] = yield* countPassages([word, ...bases], MAX_COUNTED_PASSAGES);
	return bases.filter((_, index) => (counts[index] ?? 0) > MIN_TIMES_AS_COMMON * count).map(toOptional);
}
