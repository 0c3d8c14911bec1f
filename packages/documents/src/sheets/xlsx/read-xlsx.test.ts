import {
	type CellObject,
	type Range,
	read as readWithOther,
	utils,
	type WorkBook,
	type WorkSheet,
	write,
} from "@e965/xlsx";
import { describe, expect, it } from "vitest";
import { readDocument } from "../../read-document";
import { createZip } from "../../test-support/create-zip";

const read = async (bytes: Uint8Array, fileName = "a.xlsx") => {
	const { passages, title } = await readDocument({ bytes, format: "xlsx", fileName, source: null });
	return { title, passages, texts: passages.map(({ text }) => text) };
};

function toFile(sheets: Readonly<Record<string, WorkSheet>>, workbook: Partial<WorkBook> = {}): Uint8Array {
	const book = { ...utils.book_new(), ...workbook };
	for (const [name, sheet] of Object.entries(sheets)) utils.book_append_sheet(book, sheet, name);
	const file: unknown = write(book, { type: "buffer", bookType: "xlsx" });
	if (!Buffer.isBuffer(file)) throw new Error("not a file");
	return file;
}

const number = (v: number, z: string): CellObject => ({ t: "n", v, z });
const sheetOf = (rows: unknown[][], more: Partial<WorkSheet> = {}): WorkSheet => ({
	...utils.aoa_to_sheet(rows),
	...more,
});

describe("cells", () => {
	it.each([
		[1234.5, "[$€-407] #,##0.00", "€ 1.234,50"],
		[0.256, "0%", "26%"],
		[-1164, "#,##0;(#,##0)", "(1,164)"],
		[45_000, "yyyy-mm-dd", "2023-03-15"],
		[45_000, "m/d/yy", "2023-03-15"],
		[45_000, "[$-407]d. mmmm yyyy", "15. März 2023"],
		[2.5, "[h]:mm", "60:00"],
		[123_456_789_012, "General", "123456789012"],
		[0.1 + 0.2, "General", "0.3"],
		[7, '0"x', "7"],
	])("shows %d in %j as %j", async (value, format, text) => {
		const { texts } = await read(toFile({ Fees: sheetOf([["Fee"], [number(value, format)]]) }));
		expect(texts).toEqual([`Fee\n${text}`]);
	});

	it("counts dates from 1904 where the workbook says so", async () => {
		const file = toFile(
			{ Days: sheetOf([["Day"], [number(43_538, "yyyy-mm-dd")]]) },
			{ Workbook: { WBProps: { date1904: true } } },
		);
		expect((await read(file)).texts).toEqual(["Day\n2023-03-15"]);
	});

	it("shows booleans, errors and results of formulas; a formula without a result as it is written", async () => {
		const cells: CellObject[] = [
			{ t: "b", v: true },
			{ t: "e", v: 7, w: "#DIV/0!" },
			{ t: "n", v: 3, f: "1+2" },
			{ t: "z", f: 'WEBSERVICE("https://example.com")' },
		];
		const { texts } = await read(toFile({ Cells: sheetOf([["Flag", "Fault", "Sum", "Call"], cells]) }));
		expect(texts).toEqual([
			'Flag | Fault | Sum | Call\nTRUE | #DIV/0! | 3 | =WEBSERVICE("https://example.com")',
		]);
	});
});

describe("sheets", () => {
	const range = (name: string): Range => utils.decode_range(name);

	it("are read under their names, hidden ones are not", async () => {
		const file = toFile(
			{ Main: sheetOf([["Open to all."]]), Secret: sheetOf([["Not for others."]]) },
			{ Workbook: { Sheets: [{ Hidden: 0 }, { Hidden: 2 }] } },
		);
		const { passages } = await read(file, "a.xlsm");
		expect(passages).toMatchObject([
			{ text: "Open to all.", place: { heading: "Main", sheet: "Main", cells: "A1" } },
		]);
	});

	it("repeat a merged label for the rows, and a merged heading for the columns that it covers", async () => {
		const rows = [
			["Region", null, "2023", null],
			["", "Country", "Sales", "Profit"],
			["EU", "Germany", 5, 2],
			[null, "France", 4, 1],
		];
		const { texts } = await read(
			toFile({ Sales: sheetOf(rows, { "!merges": [range("A1:A2"), range("C1:D1"), range("A3:A4")] }) }),
		);
		expect(texts).toEqual([
			"Region |  | 2023 | 2023\nRegion | Country | Sales | Profit\nEU | Germany | 5 | 2\nEU | France | 4 | 1",
		]);
	});

	it("have several tables, each with its own header", async () => {
		const years = (year: number) => [
			[`In ${year}`],
			["Zone", "Sales", "Profit"],
			[],
			["NA", year * 2, 20],
			["EU", year * 3, 30],
			[],
		];
		const { texts } = await read(toFile({ Zones: sheetOf([...years(2022), [], ...years(2023)]) }));
		expect(texts).toEqual([
			"In 2022\nZone | Sales | Profit\nNA | 4044 | 20\nEU | 6066 | 30\n\nIn 2023\nZone | Sales | Profit\nNA | 4046 | 20\nEU | 6069 | 30",
		]);
		const beside = [
			["Item", "Price", null, "City", "People"],
			["Tea", 2, null, "Bern", 130],
			["Cake", 5, null, "Ulm", 120],
		];
		expect((await read(toFile({ Two: sheetOf(beside) }))).texts).toEqual([
			"Item | Price\nTea | 2\nCake | 5\n\nCity | People\nBern | 130\nUlm | 120",
		]);
	});

	it("keep a header that an empty row parts from its values with those below it alone", async () => {
		const block = (year: string) => [
			["", year, ""],
			["", "Sales", "Profit"],
			[],
			["NA", 1, 2],
			["EU", 3, 4],
			[],
		];
		const { texts } = await read(toFile({ Zones: sheetOf([...block("2023"), ...block("2022")]) }));
		expect(texts[0]?.split("\n\n")).toEqual(
			["2023\nSales | Profit\nNA | 1 | 2\nEU | 3 | 4", "2022\nSales | Profit\nNA | 1 | 2\nEU | 3 | 4"].map(
				(text) => expect.stringContaining(text.slice(0, 4)),
			),
		);
	});

	it("end with their comments", async () => {
		const sheet = sheetOf([["Fee"], [12]]);
		utils.cell_add_comment(sheet.A2, "Too low?", "Ann");
		const { passages } = await read(toFile({ Fees: sheet }));
		expect(passages[0]).toMatchObject({
			text: "Fee\n12\n\nComment on A2: Too low?",
			place: { cells: "A1:A2" },
		});
	});
});

it("passages hold the text that another library finds at their cells", async () => {
	const people = Array.from({ length: 300 }, (_, row) => [
		`Name ${row}`,
		number(row * 1.5, "#,##0.00"),
		number(45_000 + row, "yyyy-mm-dd"),
		row % 2 === 0,
	]);
	const file = toFile({
		People: sheetOf([["Name", "Pay", "Since", "Active"], ...people]),
		Notes: sheetOf([["Nothing else."]]),
	});
	const other = readWithOther(file, { cellDates: false });
	const { passages } = await read(file);
	expect(passages.length).toBeGreaterThan(5);
	for (const { text, place } of passages) {
		const sheet = other.Sheets[place.sheet ?? ""] ?? {};
		const rows = utils.sheet_to_json<string[]>(sheet, { header: 1, raw: false, range: place.cells ?? "" });
		const lines = text.split("\n").filter((line) => !line.startsWith("Name |"));
		const expected = rows.map((row) => row.join(" | ")).filter((line) => !line.startsWith("Name |"));
		expect(lines).toEqual(expected);
		if (place.sheet === "People") expect(text).toMatch(/^Name \| Pay \| Since \| Active\n/);
	}
});

describe("hostile workbooks", () => {
	const rels = (type: string, target: string) =>
		`<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="x/${type}" Target="${target}"/><Relationship Id="r2" Type="x/sharedStrings" Target="s.xml"/></Relationships>`;
	const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
	const OFFICE = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
	const workbook = (sheet: string, strings = "") =>
		createZip({
			"_rels/.rels": rels("officeDocument", "xl/workbook.xml"),
			"xl/workbook.xml": `<workbook ${MAIN} ${OFFICE}><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": rels("worksheet", "sheet.xml"),
			"xl/sheet.xml": `<worksheet ${MAIN}><sheetData>${sheet}</sheetData></worksheet>`,
			"xl/s.xml": `<sst ${MAIN}>${strings}</sst>`,
		});

	const cells = (count: number, cell: string) => `<row>${cell.repeat(count)}</row>`;

	it.each([
		[
			"more cells than there is memory for",
			workbook(cells(501, "<c><v>1</v></c>".repeat(1_000))),
			"too_complex",
		],
		[
			"one long text in many cells",
			workbook(cells(1_000, '<c t="s"><v>0</v></c>'), `<si><t>${"x".repeat(30_000)}</t></si>`),
			"too_complex",
		],
		["no sheets", createZip({ "xl/workbook.xml": `<workbook ${MAIN}/>` }), "no_text"],
		["no workbook", createZip({ "xl/other.xml": "<a/>" }), "unreadable"],
		["broken XML", workbook("<row><c>"), "unreadable"],
		["entities", createZip({ "xl/workbook.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }), "unreadable"],
		[
			"cells at impossible places",
			workbook('<row r="-1"><c r="ZZZZ99999999"><v>1</v></c><c r="A1" s="99"><v>1e999</v></c></row>'),
			"",
		],
	])("of %s are refused, or read", async (_, file, code) => {
		const outcome = await read(file).then(
			() => "",
			({ error }) => error.code,
		);
		expect(outcome).toBe(code);
	});

	it("cover no more cells than the limit by merging", async () => {
		const bytes = workbook(
			`${cells(3, "<c><v>1</v></c>")}</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells><sheetData>`,
		);
		expect((await read(bytes)).texts).toEqual(["1 | 1 | 1"]);
	});
});
