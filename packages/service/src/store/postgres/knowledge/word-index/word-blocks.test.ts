import { describe, expect, it } from "vitest";
import { getTokenizer } from "./cached-tokenizer";
import { addRecords, createPassageList, mergeRepeated, type PassageList } from "./passage-list";
import { createSegmentWords } from "./segment-words";
import { toWordBlocks, type WordBlock } from "./word-blocks";

const RECORD_BYTES = 12;

function toBlocks(texts: readonly string[], first = 1): readonly WordBlock[] {
	const segment = createSegmentWords(getTokenizer().getDictionary());
	segment.add(
		texts.map((text, index) => ({ number: first + index, words: { title: "", heading: "", text } })),
	);
	return toWordBlocks(segment);
}

const NONE: ReadonlySet<number> = new Set();

function readWord({ words, ends, records }: WordBlock, word: string, deleted = NONE): PassageList {
	const list = createPassageList();
	const place = words.indexOf(word);
	const bytes = records.subarray((ends[place - 1] ?? 0) * RECORD_BYTES, (ends[place] ?? 0) * RECORD_BYTES);
	addRecords(list, bytes, deleted);
	return list;
}

describe("blocks of words", () => {
	it("have each word once, with the passages that have it and how often", () => {
		const [block, ...others] = toBlocks(["car wheel car", "wheel"], 2 ** 40);
		expect(others).toEqual([]);
		expect(block).toMatchObject({ words: ["car", "wheel"], ends: [1, 3] });
		expect(block && readWord(block, "car")).toEqual({
			numbers: [2 ** 40],
			tokenCounts: [3],
			frequencies: [2],
		});
		expect(block && readWord(block, "wheel").numbers).toEqual([2 ** 40, 2 ** 40 + 1]);
		expect(block && readWord(block, "wheel", new Set([2 ** 40])).numbers).toEqual([2 ** 40 + 1]);
	});

	it("count a word of the title twice", () => {
		const segment = createSegmentWords(getTokenizer().getDictionary());
		segment.add([{ number: 1, words: { title: "car", heading: "car", text: "car" } }]);
		const [block] = toWordBlocks(segment);
		expect(block && readWord(block, "car").frequencies).toEqual([4]);
	});

	it("are in the order of code points, and none is much longer than a quarter of a page", () => {
		const texts = Array.from({ length: 300 }, (_, index) => `w${index} \u{1d7d9} \uff5e退 zebra`);
		const blocks = toBlocks(texts);
		const words = blocks.flatMap((block) => block.words);
		expect(words).toEqual(
			words.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
		);
		expect(new Set(words).size).toBe(words.length);
		const rare = blocks.filter((block) => block.words.length > 1 && !block.words.includes("zebra"));
		expect(rare.length).toBeGreaterThan(2);
		for (const { records } of rare) expect(records.byteLength).toBeLessThan(2_048);
	});

	it("are none without words", () => {
		expect(toBlocks(["", "???"])).toEqual([]);
	});
});

describe("merging what is repeated in a list", () => {
	it("adds up how often a passage has any of the words", () => {
		const list = { numbers: [1, 2, 1], tokenCounts: [5, 6, 5], frequencies: [1, 1, 3] };
		expect(mergeRepeated(list)).toEqual({ numbers: [1, 2], tokenCounts: [5, 6], frequencies: [4, 1] });
	});
});
