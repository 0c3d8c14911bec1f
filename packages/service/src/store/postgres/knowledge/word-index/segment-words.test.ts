import { describe, expect, it } from "vitest";
import { getTokenizer } from "./cached-tokenizer";
import { parsePositions } from "./positions";
import { createSegmentWords, type PassageWordsRow } from "./segment-words";

const NONE = { title: "", heading: "", text: "" };

const collect = (...texts: readonly Partial<typeof NONE>[]) => {
	const segment = createSegmentWords(getTokenizer().getDictionary());
	segment.add(texts.map((words, index) => ({ number: index + 1, words: { ...NONE, ...words } })));
	return segment;
};

const toText = (row: PassageWordsRow | undefined): string => Buffer.from(row?.positions ?? []).toString();

describe("the words of a passage", () => {
	it("have their positions as a tsvector has them, with a gap between columns", () => {
		const { passages } = collect({ title: "Car", heading: "Car wheel", text: "A car, a Größe: 退款" });
		expect(passages[0]).toMatchObject({ titleTokens: 1, tokenCount: 8 });
		expect(toText(passages[0])).toBe("'car':1,3,7 'wheel':4 'a':6,8 'groß':9 '退款':10");
	});

	it("are those of their passage alone", () => {
		const { passages } = collect({ text: "car car" }, { text: "wheel" }, {}, { text: "wheel car" });
		expect(passages.map(toText)).toEqual(["'car':3,4", "'wheel':3", "", "'wheel':3 'car':4"]);
	});

	it("are found again where there are very many", () => {
		const words = Array.from({ length: 30_000 }, (_, index) => `w${index % 20_000}`);
		const [row] = collect({ text: words.join(" ") }).passages;
		const positions = parsePositions(toText(row), () => true);
		expect(positions.size).toBe(20_000);
		expect(positions.get("w9999")).toEqual([10_002, 30_002]);
		expect(positions.get("w19999")).toEqual([20_002]);
	});
});
