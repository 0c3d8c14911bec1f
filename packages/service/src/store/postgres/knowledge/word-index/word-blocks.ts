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
		weight += countRecords(lists.get(word)) * RECORD_BYTES + Buffer.byteLength(word) + WORD_WEIGHT;
		if (weight < MAX_BLOCK_WEIGHT) continue;
		blocks.push(toBlock(words, lists));
		words = [];
		weight = 0;
	}
	return words.length === 0 ? blocks : [...blocks, toBlock(words, lists)];
}

/** Records of the passages with each word, behind each other: number, tokens and frequency of each passage. */
type WordLists = ReadonlyMap<string, readonly number[]>;

const NUMBERS_PER_RECORD = 3;

const countRecords = (list: readonly number[] = []): number => list.length / NUMBERS_PER_RECORD;

function toWordLists(passages: readonly NumberedTokens[]): WordLists {
	const lists = new Map<string, number[]>();
	for (const { number, tokenCount, titleTokens, positions } of passages)
		for (const [word, places] of positions) {
			const frequency = weighOccurrences(places, titleTokens);
			const list = lists.get(word);
			if (list === undefined) lists.set(word, [number, tokenCount, frequency]);
			else list.push(number, tokenCount, frequency);
		}
	return lists;
}

function toBlock(words: readonly string[], lists: WordLists): WordBlock {
	const count = words.reduce((sum, word) => sum + countRecords(lists.get(word)), 0);
	const records = new Uint8Array(count * RECORD_BYTES);
	const view = new DataView(records.buffer);
	const ends: number[] = [];
	let offset = 0;
	for (const word of words) {
		const list = lists.get(word) ?? [];
		for (let place = 0; place < list.length; place += NUMBERS_PER_RECORD) {
			writeRecord(view, offset, list[place] ?? 0, list[place + 1] ?? 0, list[place + 2] ?? 0);
			offset += RECORD_BYTES;
		}
		ends.push(offset / RECORD_BYTES);
	}
	return { words, ends, records };
}

/** Counts how often a passage has a word, whose positions are in order; a word in the title counts twice. */
function weighOccurrences(positions: readonly number[], titleTokens: number): number {
	let frequency = positions.length;
	for (const position of positions) {
		if (position > titleTokens) break;
		frequency += TITLE_WEIGHT - 1;
	}
	return frequency;
}

/** Measured on five collections of questions. */
export const TITLE_WEIGHT = 2;

const SURROGATE = /[\ud800-\udfff]/;

/** Sorts words by their code points, as Postgres does with the collation "C"; strings compare by their UTF-16 code units. */
function sortWords(words: readonly string[]): readonly string[] {
	if (!words.some((word) => SURROGATE.test(word))) return words.toSorted();
	return words
		.map((word) => Buffer.from(word))
		.sort(Buffer.compare)
		.map(String);
}
