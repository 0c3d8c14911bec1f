/** Words of a segment of a word index. */
export interface Vocabulary {
	has(word: string): boolean;
	/** Checks whether a word begins like this. */
	hasBeginning(beginning: string): boolean;
	/** Number of its words. */
	readonly size: number;
}

/** Remembers the words of segments, which never change. Shared by the workspaces of an instance. */
export interface VocabularyCache {
	get(key: string): Vocabulary | undefined;
	add(key: string, vocabulary: Vocabulary): void;
}

/** Number of words that are remembered: about 40 MB. */
const MAX_WORDS = 500_000;

/** Creates a cache of vocabularies, which forgets those that were not used for the longest time. */
export function createVocabularyCache(maxWords = MAX_WORDS): VocabularyCache {
	const known = new Map<string, Vocabulary>();
	let words = 0;

	function remove(key: string, { size }: Vocabulary): void {
		known.delete(key);
		words -= size;
	}

	return {
		get(key) {
			const vocabulary = known.get(key);
			if (vocabulary === undefined) return undefined;
			known.delete(key);
			known.set(key, vocabulary);
			return vocabulary;
		},
		add(key, vocabulary) {
			const former = known.get(key);
			if (former !== undefined) remove(key, former);
			known.set(key, vocabulary);
			words += vocabulary.size;
			for (const [oldest, its] of known) {
				if (words <= maxWords) return;
				remove(oldest, its);
			}
		},
	};
}

/** Letters by which words are found: few words have the same. */
const KEY_LENGTH = 3;

/** Creates a vocabulary. @param text - words with a blank between them, in any order, each once. */
export function createVocabulary(text: string): Vocabulary {
	const sorted = text.split(" ").sort();
	const words = new Set(sorted);
	const ends = new Map(sorted.map((word, place) => [word.slice(0, KEY_LENGTH), place + 1]));
	return {
		has: (word) => words.has(word),
		hasBeginning(beginning) {
			const end = beginning.length < KEY_LENGTH ? sorted.length : ends.get(beginning.slice(0, KEY_LENGTH));
			return end !== undefined && (sorted[findPlace(sorted, beginning, end)]?.startsWith(beginning) ?? false);
		},
		size: sorted.length,
	};
}

/** Finds the place of the first word that is not in front of this one, at most `end`. */
function findPlace(sorted: readonly string[], word: string, end: number): number {
	let [first, last] = [0, end];
	while (first < last) {
		const middle = (first + last) >> 1;
		if ((sorted[middle] ?? "") < word) first = middle + 1;
		else last = middle;
	}
	return first;
}
