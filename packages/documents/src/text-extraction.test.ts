import { describe, expect, it } from "vitest";
import { toColumnName } from "./original-place";
import { cutPassages } from "./passages/cut-passages";
import { createTextExtraction, type ExtractedText } from "./text-extraction";

const DOCUMENT = { document_id: "doc_1", title: "Title", path: "a.pdf" };

const line = (text: string, page: number, y: number): ExtractedText => ({
	text,
	place: { kind: "page", page, box: { page, x: 50, y, width: 200, height: 10 } },
});

const row = (number: number, ...texts: string[]): ExtractedText[] =>
	texts.map((text, index) => ({
		text,
		place: { kind: "cell", sheet: "Fees", row: number, column: index + 1 },
	}));

describe("createTextExtraction", () => {
	it("gives passages the boxes of their lines, those of one column joined", () => {
		const extraction = createTextExtraction();
		extraction.addHeading(1, line("Handbook", 1, 20));
		extraction.addHeading(2, line("Refunds", 1, 40));
		extraction.addBlock([line("In 14 days,", 1, 60), line("in full.", 1, 72)]);
		extraction.addBlock([line("Ask the shop.", 2, 20)]);
		const parsed = extraction.finish();
		const [passage, ...others] = cutPassages(DOCUMENT, parsed);
		expect(others).toEqual([]);
		expect(passage).toMatchObject({
			text: "In 14 days, in full.\n\nAsk the shop.",
			place: {
				page: 1,
				heading: "Refunds",
				boxes: [
					{ page: 1, x: 50, y: 60, width: 200, height: 22 },
					{ page: 2, x: 50, y: 20, width: 200, height: 10 },
				],
			},
		});
		expect(parsed.text?.slice(passage?.place.start, passage?.place.end)).toBe(passage?.text);
	});

	it("repeats the header of a table in each of its passages, which name their own cells", () => {
		const extraction = createTextExtraction();
		const rows = Array.from({ length: 200 }, (_, index) => row(index + 2, `Parcel ${index}`, `${index} €`));
		extraction.addTable({ header: [row(1, "Size", "Fee")], rows });
		const passages = cutPassages(DOCUMENT, extraction.finish());
		expect(passages.length).toBeGreaterThan(2);
		for (const { text } of passages) expect(text).toMatch(/^Size \| Fee\nParcel \d+ \| \d+ €\n/);
		expect(passages[0]?.place).toMatchObject({ sheet: "Fees", cells: expect.stringMatching(/^A1:B\d+$/) });
		const firstRow = Number(/^A(\d+):B201$/.exec(passages.at(-1)?.place.cells ?? "")?.[1]);
		expect(passages.at(-1)?.text.split("\n")[1]).toBe(`Parcel ${firstRow - 2} | ${firstRow - 2} €`);
	});

	it("keeps the cells of a row in their columns, and leaves empty rows out", () => {
		const extraction = createTextExtraction();
		extraction.addTable({ rows: [row(1, "a", "", "c"), row(2, "", "", ""), row(3, "", "b")] });
		expect(extraction.finish().text).toBe("a |  | c\n | b");
	});
});

it.each([
	[1, "A"],
	[26, "Z"],
	[27, "AA"],
	[52, "AZ"],
	[53, "BA"],
	[703, "AAA"],
])("column %i is %s", (column, name) => {
	expect(toColumnName(column)).toBe(name);
});
