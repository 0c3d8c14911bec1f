import { describe, expect, it } from "vitest";
import { segment } from "../test-support/segments";
import { splitColumns } from "./columns";
import { layOutPages, type SegmentedPage } from "./lay-out-pages";
import { findRunningLines } from "./running-lines";
import type { TextSegment } from "./text-segments";

const lines = (name: string, count: number, x: number, y: number, page = 1): TextSegment[] =>
	Array.from({ length: count }, (_, index) =>
		segment(`${name} ${index} of a column of running text`, x, y + index * 12, { page }),
	);

const pageOf = (segments: readonly TextSegment[], height = 800): SegmentedPage => ({
	height,
	directions: [segments],
});

const textsOf = (regions: readonly (readonly TextSegment[])[]): string[][] =>
	regions.map((region) => region.map(({ text }) => text.split(" ").slice(0, 2).join(" ")));

describe("splitColumns", () => {
	it("gives columns one after the other, above and below a line that goes across", () => {
		const across = segment(
			"A heading that goes across both of the columns of the page".padEnd(90, "."),
			50,
			160,
		);
		const regions = splitColumns([
			...lines("left", 4, 50, 100),
			...lines("right", 4, 320, 104),
			across,
			...lines("low", 4, 50, 200),
			...lines("end", 4, 320, 200),
		]);
		expect(textsOf(regions).map(([first]) => first)).toEqual([
			"left 0",
			"right 0",
			"A heading",
			"low 0",
			"end 0",
		]);
	});

	it("gives three columns", () => {
		const regions = splitColumns(
			[0, 1, 2].flatMap((column) => lines(`c${column}`, 6, 30 + column * 190, 100)),
		);
		expect(textsOf(regions).map(([first]) => first)).toEqual(["c0 0", "c1 0", "c2 0"]);
	});

	it("keeps tables whole", () => {
		const rows = [0, 1, 2, 3, 4].flatMap((row) => [
			segment(`Article ${row}`, 50, 100 + row * 14),
			segment(`${row} EUR`, 320, 100 + row * 14),
		]);
		expect(splitColumns(rows)).toHaveLength(1);
	});
});

describe("findRunningLines", () => {
	const page = (number: number, top: string, bottom: string) => [
		segment(top, 50, 30, { page: number }),
		segment(`Text ${"abcdefgh".charAt(number)} of the page`, 50, 300, { page: number }),
		segment(bottom, number % 2 === 0 ? 50 : 500, 770, { page: number }),
	];
	const running = (pages: readonly TextSegment[][]): string[] =>
		[...findRunningLines(pages.map((segments) => ({ height: 800, segments })))].map(({ text }) => text);

	it.each([
		["Page 1 of 3", "Page 2 of 3", "Page 3 of 3"],
		["17", "18", "19"],
		["- vii -", "- viii -", "- ix -"],
		["17 Handbook", "Chapter 2 18", "19 Handbook"],
	])("finds page numbers such as %s", (...bottoms) => {
		const pages = bottoms.map((bottom, index) => page(index, "Handbook of the firm", bottom));
		const found = running(pages);
		expect(found.filter((text) => text === "Handbook of the firm")).toHaveLength(3);
		if (!bottoms[0]?.includes("Handbook") && !bottoms[0]?.includes("vii"))
			expect(found).toEqual(expect.arrayContaining(bottoms));
	});

	it("leaves what differs, what is in the middle, and a document of one page", () => {
		expect(
			running([4711, 5102, 6200].map((order, index) => page(index, `Order ${order}`, "x".repeat(index + 1)))),
		).toEqual([]);
		expect(running([page(0, "Handbook", "1")])).toEqual([]);
	});
});

describe("layOutPages", () => {
	const texts = (...pages: readonly TextSegment[][]): string[] =>
		layOutPages(pages.map((segments) => pageOf(segments))).map((block) =>
			block.kind === "table"
				? block.rows
						.map((row) => row.map((cell) => cell.map(({ text }) => text).join(" ")).join("|"))
						.join("\n")
				: block.rows.map(({ text }) => text).join(" "),
		);

	it("joins a sentence that goes on on the next page, past footnotes", () => {
		const first = [
			segment("The first line of the paragraph is long and", 50, 100),
			segment("its second line ends in the middle of", 50, 112),
			segment("1 A footnote.", 50, 400, { fontSize: 7 }),
		];
		const second = [segment("a sentence.", 50, 100, { page: 2 })];
		expect(texts(first, second)).toEqual([
			"The first line of the paragraph is long and its second line ends in the middle of a sentence.",
			"1 A footnote.",
		]);
	});

	it("parts paragraphs by gaps, by indents after a sentence, and by short last lines", () => {
		const gap = texts([...lines("one", 3, 50, 100), ...lines("two", 3, 50, 160)]);
		expect(gap).toHaveLength(2);
		const indent = texts([
			segment("The first paragraph of a page is as wide as it.", 50, 100),
			segment("A second one is indented. It is as wide as th", 70, 112),
			segment("e page, and is not ended by a gap to the first.", 50, 124),
		]);
		expect(indent).toHaveLength(2);
	});

	it("joins tables over pages, and leaves the repeated header out", () => {
		const rows = (page: number) => [
			segment("Name", 50, 200, { page, isBold: true }),
			segment("Price", 300, 200, { page, isBold: true }),
			...[0, 1, 2].flatMap((row) => [
				segment(`Item ${page}${row}`, 50, 214 + row * 14, { page }),
				segment(`${row}.50`, 300, 214 + row * 14, { page }),
			]),
		];
		expect(texts(rows(1), rows(2))).toEqual([
			"Name|Price\nItem 10|0.50\nItem 11|1.50\nItem 12|2.50\nItem 20|0.50\nItem 21|1.50\nItem 22|2.50",
		]);
	});
});
