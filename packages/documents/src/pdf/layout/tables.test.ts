import { describe, expect, it } from "vitest";
import { segment } from "../test-support/segments";
import { findTables } from "./tables";
import { joinWords, toRows } from "./text-rows";

/** Tables and lines of rows, each a list of `[text, x]`; rows are 14 points apart unless they say otherwise. */
function read(
	rows: readonly (readonly (readonly [text: string, x: number])[])[],
	tops: readonly number[] = [],
): string[] {
	const segments = rows.flatMap((row, index) =>
		row.map(([text, x]) => segment(text, x, tops[index] ?? 100 + index * 14)),
	);
	return findTables(joinWords(toRows(segments))).map((found) =>
		"kind" in found
			? `${found.headerRows} ${found.rows.map((row) => row.map((cell) => cell.map(({ text }) => text).join(" ")).join("|")).join(" / ")}`
			: found.text,
	);
}

describe("findTables", () => {
	it("finds rows of aligned cells, and the header above numbers", () => {
		expect(
			read([
				[["Some text that leads in.", 50]],
				[
					["Size", 50],
					["Price", 200],
					["Days", 300],
				],
				[
					["Small", 50],
					["4.50", 205],
					["2", 310],
				],
				[
					["Large", 50],
					["12.00", 200],
					["3", 310],
				],
			]),
		).toEqual(["Some text that leads in.", "1 Size|Price|Days / Small|4.50|2 / Large|12.00|3"]);
	});

	it("keeps cells in their columns where some are empty", () => {
		expect(
			read([
				[
					["Part", 50],
					["Hours", 200],
					["Cost", 300],
				],
				[
					["Paint", 50],
					["1.5", 205],
					["225", 300],
				],
				[
					["Glass", 50],
					["90", 300],
				],
			]),
		).toEqual(["1 Part|Hours|Cost / Paint|1.5|225 / Glass||90"]);
	});

	it("joins a cell that is wrapped", () => {
		expect(
			read(
				[
					[
						["Kind", 50],
						["What it means to you", 200],
					],
					[
						["Letter", 50],
						["comes on the next day, if it", 200],
					],
					[["is posted before noon", 200]],
					[
						["Parcel", 50],
						["comes later", 200],
					],
				],
				[100, 120, 131, 151],
			),
		).toEqual([
			"0 Kind|What it means to you / Letter|comes on the next day, if it is posted before noon / Parcel|comes later",
		]);
	});

	it("tells cells that are close together from words of a loose line", () => {
		expect(
			read([
				[
					["Ln", 50],
					["Name", 68],
					["Format", 96],
				],
				[
					["1", 50],
					["IMAX", 68],
					["3D", 96],
				],
				[
					["2", 50],
					["Four", 68],
					["4D", 96],
				],
			]),
		).toHaveLength(1);
		expect(
			read([
				[
					["loose", 50],
					["words", 84],
					["of a line", 118],
				],
				[
					["that is", 50],
					["set to the", 93],
					["width", 151],
				],
			]),
		).toEqual(["loose words of a line", "that is set to the width"]);
	});

	it("is not misled by two lines that have a gap at different places", () => {
		expect(
			read([
				[
					["Page", 50],
					["of the report", 300],
				],
				[
					["By the author", 50],
					["in spring", 180],
				],
			]),
		).toHaveLength(2);
	});
});
