import type { PassageWords } from "../../../sqlite/knowledge/search/word-index";
import { createPositionsWriter } from "./positions";
import type { TokenDictionary } from "./token-dictionary";

/** Number of times that a word in a title counts. Measured on five collections of questions. */
export const TITLE_WEIGHT = 2;

/** Passage as `passage_words` stores it. */
export interface PassageWordsRow {
	readonly number: number;
	/** Number of tokens of its title: their positions are 1 to this. */
	readonly titleTokens: number;
	/** Number of tokens of all columns. */
	readonly tokenCount: number;
	/** Positions of each token, as {@link createPositionsWriter} writes them. */
	readonly positions: Uint8Array;
}

/** Words of passages, as lists side by side: objects of their own would keep the garbage collector busy. */
export interface WordOccurrences {
	/** Place in `words` of the word that a passage has. */
	readonly words: readonly number[];
	/** Place in `passages` of the passage that has it. */
	readonly passages: readonly number[];
	/** Number of times that it has it; those in its title count {@link TITLE_WEIGHT} times. */
	readonly frequencies: readonly number[];
}

/** Words of the passages that become one segment of a word index. */
export interface SegmentWords {
	/** Passages in the order in which they were added. */
	readonly passages: readonly PassageWordsRow[];
	/** Words, each once, in the order in which they were found. */
	readonly words: readonly string[];
	/** Each word of each passage, once. */
	readonly occurrences: WordOccurrences;
}

/** Passage whose words are added. */
export interface NewPassageWords {
	readonly number: number;
	readonly words: PassageWords;
}

/** Words of a segment to which passages are added. */
export interface OpenSegmentWords extends SegmentWords {
	add(passages: readonly NewPassageWords[]): void;
}

const COLUMNS = 3;

/** Creates the words of a segment, in which there are no passages yet. */
export function createSegmentWords(dictionary: TokenDictionary): OpenSegmentWords {
	const passages: PassageWordsRow[] = [];
	const words: string[] = [];
	/** Places of words by the numbers of their tokens, counted from 1; 0 for those that it does not have. */
	let places = new Int32Array(0);
	/** Occurrence of each word that was added last. */
	const lastOccurrences: number[] = [];
	const occurrences = { words: [] as number[], passages: [] as number[], frequencies: [] as number[] };
	const writer = createPositionsWriter();

	function findPlace(token: number): number {
		const known = places[token] ?? 0;
		if (known > 0) return known - 1;
		lastOccurrences.push(-1);
		words.push(dictionary.tokens[token] ?? "");
		places[token] = words.length;
		return words.length - 1;
	}

	/** Adds a token of the passage that is added now. @param first - its first occurrence. */
	function addToken(token: number, first: number, weight: number): void {
		const place = findPlace(token);
		const known = lastOccurrences[place] ?? -1;
		if (known >= first) {
			occurrences.frequencies[known] = (occurrences.frequencies[known] ?? 0) + weight;
			writer.repeat(known - first);
			return;
		}
		lastOccurrences[place] = occurrences.words.length;
		occurrences.words.push(place);
		occurrences.passages.push(passages.length);
		occurrences.frequencies.push(weight);
		writer.add(words[place] ?? "");
	}

	function addPassage(number: number, columns: readonly (readonly number[])[]): void {
		const first = occurrences.words.length;
		let tokenCount = 0;
		for (const [index, column] of columns.entries()) {
			for (const token of column) addToken(token, first, index === 0 ? TITLE_WEIGHT : 1);
			tokenCount += column.length;
			writer.endColumn();
		}
		const titleTokens = columns[0]?.length ?? 0;
		passages.push({ number, titleTokens, tokenCount, positions: writer.end() });
	}

	return {
		passages,
		words,
		occurrences,
		add(added) {
			const texts = added.flatMap(({ words: { title, heading, text } }) => [title, heading, text]);
			const tokens = dictionary.toNumbers(texts);
			places = toLength(places, dictionary.tokens.length);
			for (const [index, { number }] of added.entries())
				addPassage(number, tokens.slice(COLUMNS * index, COLUMNS * (index + 1)));
		},
	};
}

/** Share by which places are more than there are tokens, so that they seldom have to be copied. */
const SPARE_PLACES = 0.25;

function toLength(places: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
	if (places.length >= length) return places;
	const longer = new Int32Array(Math.ceil(length * (1 + SPARE_PLACES)));
	longer.set(places);
	return longer;
}
