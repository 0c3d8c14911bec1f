import type { QueryWord } from "./query-words";

/** Question about the words of the searched passages, which a store answers from its word indexes. */
export type WordQuestion =
	/** Answer: the positions of those words that a passage has. */
	| { readonly kind: "known"; readonly words: readonly QueryWord[] }
	/** Answer: for each word the number of passages with it, at most `max` of each index. */
	| { readonly kind: "counts"; readonly words: readonly QueryWord[]; readonly max: number }
	/** Answer: 1 where all passages with `word` have `other`, as where both are forms of one word to the index; else 0. */
	| { readonly kind: "within"; readonly word: QueryWord; readonly other: QueryWord };

export type WordAnswer = readonly number[];

/** Work that asks a store about words on its way, whether that answers at once or later. */
export type WordLookup<Result> = Generator<WordQuestion, Result, WordAnswer>;

/** A word that counts as it is spelled. */
export const toWord = (text: string): QueryWord => ({ text, isPrefix: false });

/** Filters the words that a passage has. */
export function* filterKnown(words: readonly QueryWord[]): WordLookup<QueryWord[]> {
	if (words.length === 0) return [];
	const known = new Set(yield { kind: "known", words });
	return words.filter((_, position) => known.has(position));
}

/** Counts the passages with each of these words, at most `max` of each index. */
export function* countPassages(words: readonly QueryWord[], max: number): WordLookup<readonly number[]> {
	return words.length === 0 ? [] : yield { kind: "counts", words, max };
}

/** Checks whether all passages with one word have another one. */
export function* isWithin(word: QueryWord, other: QueryWord): WordLookup<boolean> {
	const [answer] = yield { kind: "within", word, other };
	return answer === 1;
}

/** Runs a lookup with a store that answers at once. */
export function runLookup<Result>(
	lookup: WordLookup<Result>,
	answer: (question: WordQuestion) => WordAnswer,
): Result {
	let step = lookup.next();
	while (step.done !== true) step = lookup.next(answer(step.value));
	return step.value;
}

/** Runs a lookup with a store that answers later. */
export async function runLookupAsync<Result>(
	lookup: WordLookup<Result>,
	answer: (question: WordQuestion) => Promise<WordAnswer>,
): Promise<Result> {
	let step = lookup.next();
	while (step.done !== true) step = lookup.next(await answer(step.value));
	return step.value;
}
