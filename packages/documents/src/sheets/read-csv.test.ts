import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { readDocument } from "../read-document";

const read = async (content: string | Uint8Array, fileName = "a.csv") => {
	const bytes = typeof content === "string" ? Buffer.from(content) : content;
	const { title, passages } = await readDocument({ bytes, format: "csv", fileName, source: null });
	return { title, passages, texts: passages.map(({ text }) => text) };
};

/** Text of the cells of a place such as `A2:C9`, in the records of the file. */
function cellsAt(records: readonly (readonly string[])[], cells = ""): string[] {
	const [from, to] = cells.split(":").map(toPosition);
	const last = to ?? from;
	if (from === undefined || last === undefined) return [];
	return records.slice(from.row, last.row + 1).flatMap((row) => row.slice(from.column, last.column + 1));
}

function toPosition(name: string): { row: number; column: number } {
	const [, letters = "", digits = ""] = /^([A-Z]+)(\d+)$/.exec(name) ?? [];
	const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
	return { row: Number(digits) - 1, column: column - 1 };
}

describe("delimiters and quotes", () => {
	it.each([
		["a,b\n1,2", "a | b\n1 | 2"],
		["a;b\n1,5;2,5", "a | b\n1,5 | 2,5"],
		["1;2,5\n3;4,5\n5;6,7", "1 | 2,5\n3 | 4,5\n5 | 6,7"],
		["a\tb\n1\t2", "a | b\n1 | 2"],
		["a|b\n1|2", "a | b\n1 | 2"],
		["sep=;\na;b,c\n1;2", "a | b,c\n1 | 2"],
		["id,tags\n1,x;y\n2,z;w", "id | tags\n1 | x;y\n2 | z;w"],
		['a,b\n1,"two\nlines, and ""quotes"""\n', 'a | b\n1 | two lines, and "quotes"'],
		['a\tb\n1\t"no end\n2\tx', 'a | b\n1 | "no end\n2 | x'],
		["a,b\r\n1,2\r\n\r\n", "a | b\n1 | 2"],
		["a,b,c\n1,,3\n,2\n", "a | b | c\n1 |  | 3\n | 2"],
	])("reads %j", async (content, text) => {
		expect((await read(content)).texts).toEqual([text]);
	});

	it("reads UTF-16 and windows-1252", async () => {
		const utf16 = Buffer.from("\ufeffName,Ort\nJosé,Köln", "utf16le");
		expect((await read(utf16)).texts).toEqual(["Name | Ort\nJosé | Köln"]);
		expect((await read(Buffer.from("Name,Ort\nJosé,Köln", "latin1"))).texts).toEqual([
			"Name | Ort\nJosé | Köln",
		]);
	});

	it("reads TSV by its name, and by what is in it", async () => {
		expect((await read("a\tb\n1,5\t2", "a.tsv")).texts).toEqual(["a | b\n1,5 | 2"]);
		expect((await read("a;b\n1;2", "a.tsv")).texts).toEqual(["a | b\n1 | 2"]);
	});
});

describe("passages of a table", () => {
	const rows = (count: number) =>
		Array.from({ length: count }, (_, row) => `Town ${row},${row * 7},2024-01-0${(row % 9) + 1}`);

	it("repeat the header, and name their cells without a sheet", async () => {
		const { passages } = await read(["Town,People,Counted", ...rows(100)].join("\n"));
		expect(passages.length).toBeGreaterThan(2);
		for (const { text, place } of passages) {
			expect(text).toMatch(/^Town \| People \| Counted\nTown \d+ \| /);
			expect(place.cells).toMatch(/^A\d+:C\d+$/);
			expect(place).not.toHaveProperty("sheet");
		}
	});

	it("have no header where the file has none", async () => {
		const { texts } = await read(rows(100).join("\n"));
		for (const text of texts) expect(text).toMatch(/^Town \d+ \| \d+ \| /);
		expect(texts[1]?.startsWith("Town 0 ")).toBe(false);
	});

	it("keep the lines above the header", async () => {
		const { texts } = await read("Report of 2024\n\nCountry;2023;2024\nDE;1;2\nFR;3;4");
		expect(texts).toEqual(["Report of 2024\n\nCountry | 2023 | 2024\nDE | 1 | 2\nFR | 3 | 4"]);
	});

	it("name the column of each value where a table is wide", async () => {
		const columns = Array.from({ length: 100 }, (_, column) => `Column ${column}`);
		const lines = [1, 2].map((row) => columns.map((_, column) => row * column).join(","));
		const { passages } = await read([columns.join(","), ...lines].join("\n"));
		expect(passages.map(({ place }) => place.cells)).toEqual(["A2:CV2", "A3:CV3"]);
		expect(passages[1]?.text).toContain("Column 41: 82\nColumn 42: 84\n");
	});

	it("begin each part of a long row with what it is of", async () => {
		const answer = "A sentence of the answer. ".repeat(200);
		const { texts } = await read(`id,question,answer\n7,Why?,"${answer}"\n${"8,How?,So.\n".repeat(30)}`);
		expect(texts[0]).toMatch(/^id: 7\nquestion: Why\?\nanswer: A sentence/);
		for (const text of texts.slice(1))
			expect(text).toMatch(/^(id: 7\nquestion: Why\?|id \| question \| answer)\n/);
		expect(texts.at(-1)).toContain("8 | How? | So.\n");
	});

	it("lose no cell, and hold the text that is at their place in the file", async () => {
		const field = fc.constantFrom("", "a", "two words", "1.5", "2024-01-02", 'say "x"', "line\nend", "x;y");
		const table = fc.array(fc.array(field, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 300 });
		await fc.assert(
			fc.asyncProperty(table, async (records) => {
				if (records.flat().every((text) => text === "")) return;
				const { passages } = await read(`sep=,\n${Papa.unparse(records, { newline: "\n" })}`);
				const fold = (text: string) => text.replace(/\s+/g, " ");
				const all = fold(passages.map(({ text }) => text).join("\n"));
				for (const text of records.flat()) expect(all).toContain(fold(text));
				for (const { text, place } of passages) {
					const cells = new Set(cellsAt([[], ...records], place.cells).map(fold));
					for (const value of text
						.split("\n")
						.slice(-1)
						.flatMap((line) => line.split(" | ")))
						expect([...cells].some((cell) => cell.includes(value.trim()))).toBe(true);
				}
			}),
			{ numRuns: 60 },
		);
	});
});

describe("large and hostile files", () => {
	it("refuses more cells than there is memory for", async () => {
		const content = `${"1,".repeat(999)}1\n`.repeat(501);
		await expect(read(content)).rejects.toMatchObject({ error: { code: "too_complex" } });
	});

	it.each([
		["quotes", '"'.repeat(200_000)],
		["quotes in fields", 'a,"b'.repeat(50_000)],
		["delimiters", ",".repeat(300_000)],
		["empty rows between the rows", "a,b\n\n1,2\n\n".repeat(20_000)],
		["cells far apart", `${",".repeat(5_000)}x\n`.repeat(50)],
		["a diagonal", Array.from({ length: 1_500 }, (_, row) => `${",".repeat(row)}x`).join("\n")],
		["dates in each column", `${"2024-01-01,".repeat(8_000)}\n`.repeat(50)],
	])("reads a file of %s, or refuses it", async (_, content) => {
		await read(content).catch(({ error }) => expect(error.code).toMatch(/^(no_text|too_complex)$/));
	});
});
