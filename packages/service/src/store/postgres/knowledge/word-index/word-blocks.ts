import { MAX_BLOCK_WEIGHT, RECORD_BYTES, WORD_WEIGHT } from "../../tables/knowledge/word-block-tables";
import { writeRecord } from "./passage-list";
import type { SegmentWords } from "./segment-words";

/** Words of a segment that follow one another, with the records of their passages; see `word_blocks`. */
export interface WordBlock {
	/** Tokens, which have no blanks, in the order of their code points. */
	readonly words: readonly string[];
	/** Number of records of each word and of those before it in the block. */
	readonly ends: readonly number[];
	readonly records: Uint8Array;
}

/** Sorts the words of passages into blocks. */
export function toWordBlocks(segment: SegmentWords): readonly WordBlock[] {
	const order = sortWords(segment.words);
	const { starts, records } = writeRecords(segment, order);
	const blocks: WordBlock[] = [];
	let words: string[] = [];
	let ends: number[] = [];
	let weight = 0;
	let first = 0;
	for (const [index, place] of order.entries()) {
		const word = segment.words[place] ?? "";
		const start = starts[index] ?? 0;
		const end = starts[index + 1] ?? 0;
		words.push(word);
		ends.push(end - first);
		weight += (end - start) * RECORD_BYTES + Buffer.byteLength(word) + WORD_WEIGHT;
		if (weight < MAX_BLOCK_WEIGHT && index < order.length - 1) continue;
		blocks.push({ words, ends, records: records.subarray(first * RECORD_BYTES, end * RECORD_BYTES) });
		[words, ends, weight, first] = [[], [], 0, end];
	}
	return blocks;
}

/**
 * Writes the records of all words behind each other.
 *
 * @param order - places of the words, in the order of their records.
 * @returns the records, and which one is the first of each word; behind the last word, the number of all.
 */
function writeRecords(
	{ words, passages, occurrences }: SegmentWords,
	order: readonly number[],
): { readonly starts: Uint32Array; readonly records: Uint8Array } {
	const counts = new Uint32Array(words.length);
	for (const place of occurrences.words) counts[place] = (counts[place] ?? 0) + 1;
	const starts = new Uint32Array(words.length + 1);
	/** The next record of each word, by its place. */
	const next = new Uint32Array(words.length);
	for (const [index, place] of order.entries()) {
		next[place] = starts[index] ?? 0;
		starts[index + 1] = (starts[index] ?? 0) + (counts[place] ?? 0);
	}
	const records = new Uint8Array(occurrences.words.length * RECORD_BYTES);
	const view = new DataView(records.buffer);
	for (let index = 0; index < occurrences.words.length; index++) {
		const place = occurrences.words[index] ?? 0;
		const passage = passages[occurrences.passages[index] ?? 0];
		const record = next[place] ?? 0;
		next[place] = record + 1;
		writeRecord(
			view,
			record * RECORD_BYTES,
			passage?.number ?? 0,
			passage?.tokenCount ?? 0,
			occurrences.frequencies[index] ?? 0,
		);
	}
	return { starts, records };
}

const SURROGATE = /[\ud800-\udfff]/;

/**
 * Sorts words by their code points, as Postgres does with the collation "C"; strings compare by their UTF-16 code units.
 *
 * @returns their places.
 */
function sortWords(words: readonly string[]): readonly number[] {
	const places = Array.from(words, (_, place) => place);
	if (words.some((word) => SURROGATE.test(word))) {
		const bytes = words.map((word) => Buffer.from(word));
		return places.sort((one, other) => Buffer.compare(bytes[one] ?? EMPTY, bytes[other] ?? EMPTY));
	}
	return places.sort((one, other) => ((words[one] ?? "") < (words[other] ?? "") ? -1 : 1));
}

const EMPTY = Buffer.alloc(0);
