import { MAX_BLOCK_WEIGHT, RECORD_BYTES, WORD_WEIGHT } from "../../tables/knowledge/word-block-tables";
import { writeRecord } from "./passage-list";
import type { PassageTokens } from "./passage-tokens";

/** Words of a segment that follow one another, with the records of their passages; see `word_blocks`. */
export interface WordBlock {
	/** Tokens, which have no blanks, in the order of their code points. */
	readonly words: readonly string[];
	/** Number of records of each word and of those before it in the block. */
	readonly ends: readonly number[];
	readonly records: Uint8Array;
}

/** Tokens of a passage with its number. */
export interface NumberedTokens extends PassageTokens {
	readonly number: number;
}

/** Sorts the words of passages into blocks. */
export function toWordBlocks(passages: readonly NumberedTokens[]): readonly WordBlock[] {
	const lists = toWordLists(passages);
	const blocks: WordBlock[] = [];
	let words: string[] = [];
	let weight = 0;
	for (const word of sortWords([...lists.keys()])) {
		words.push(word);
		weight += (lists.get(word)?.length ?? 0) * RECORD_BYTES + Buffer.byteLength(word) + WORD_WEIGHT;
		if (weight < MAX_BLOCK_WEIGHT) continue;
		blocks.push(toBlock(words, lists));
		words = [];
		weight = 0;
	}
	return words.length === 0 ? blocks : [...blocks, toBlock(words, lists)];
}

/** Passages with each word. */
type WordLists = ReadonlyMap<string, readonly NumberedTokens[]>;

function toWordLists(passages: readonly NumberedTokens[]): WordLists {
	const lists = new Map<string, NumberedTokens[]>();
	for (const passage of passages)
		for (const word of passage.positions.keys()) {
			const list = lists.get(word);
			if (list === undefined) lists.set(word, [passage]);
			else list.push(passage);
		}
	return lists;
}

function toBlock(words: readonly string[], lists: WordLists): WordBlock {
	const count = words.reduce((sum, word) => sum + (lists.get(word)?.length ?? 0), 0);
	const records = Buffer.allocUnsafe(count * RECORD_BYTES);
	const ends: number[] = [];
	let offset = 0;
	for (const word of words) {
		for (const passage of lists.get(word) ?? []) {
			writeRecord(records, offset, passage.number, passage.tokenCount, countOccurrences(passage, word));
			offset += RECORD_BYTES;
		}
		ends.push(offset / RECORD_BYTES);
	}
	return { words, ends, records };
}

/** Counts how often a passage has a word; a word in the title counts twice. */
function countOccurrences({ positions, titleTokens }: PassageTokens, word: string): number {
	const list = positions.get(word) ?? [];
	return list.reduce((sum, position) => sum + (position <= titleTokens ? TITLE_WEIGHT : 1), 0);
}

/** Measured on five collections of questions. */
export const TITLE_WEIGHT = 2;

const SURROGATE = /[\ud800-\udfff]/;

/** Sorts words by their code points, as Postgres does with the collation "C"; strings compare by their UTF-16 code units. */
function sortWords(words: readonly string[]): readonly string[] {
	if (!words.some((word) => SURROGATE.test(word))) return words.toSorted(compareCodeUnits);
	return words
		.map((word) => Buffer.from(word))
		.sort(Buffer.compare)
		.map(String);
}

const compareCodeUnits = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
