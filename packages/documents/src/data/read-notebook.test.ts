import { expect, it } from "vitest";
import { findFormat } from "../document-format";
import { parseDocument } from "../parse-document";
import { cutPassages } from "../passages/cut-passages";

async function read(notebook: unknown) {
	const format = findFormat("analysis.ipynb");
	if (format === undefined) throw new Error("no format");
	const parsed = await parseDocument(Buffer.from(JSON.stringify(notebook)), format);
	const passages = cutPassages({ document_id: "d", title: "T", path: "a" }, parsed);
	return { parsed, passages: passages.map(({ text, place }) => [place.part, place.heading, text]) };
}

const CELLS = [
	{ cell_type: "markdown", source: ["# Fees\n", "\n", "What **parcels** cost."] },
	{
		cell_type: "code",
		source: ["total = 4\n", "print(total)"],
		outputs: [
			{ output_type: "stream", name: "stdout", text: ["4\n"] },
			{ output_type: "execute_result", data: { "text/plain": "4 euros", "image/png": "iVBOR" } },
			{ output_type: "error", ename: "ValueError", evalue: "\u001b[31mno fee\u001b[0m", traceback: ["x"] },
		],
	},
	{ cell_type: "markdown", source: "## Returns\n\nFree within 14 days." },
	{ cell_type: "raw", source: "as it is" },
];

it("reads the cells of a notebook, with their numbers as places", async () => {
	const { parsed, passages } = await read({ nbformat: 4, metadata: {}, cells: CELLS });
	expect(parsed.text).toBe(
		"Fees\n\nWhat parcels cost.\n\ntotal = 4\nprint(total)\n\n4\n\n4 euros\n\nValueError: no fee\n\nReturns\n\nFree within 14 days.\n\nas it is",
	);
	expect(passages.map(([part, heading]) => [part, heading])).toEqual([
		["cell 1", undefined],
		["cell 3", "Returns"],
	]);
});

it("reads notebooks of version 3, and JSON that is none", async () => {
	const worksheets = [
		{
			cells: [
				{ cell_type: "heading", level: 2, source: "Fees" },
				{ cell_type: "code", input: "total = 4" },
			],
		},
	];
	expect((await read({ nbformat: 3, worksheets })).parsed.text).toBe("Fees\n\ntotal = 4");
	expect((await read({ fee: "4 euros" })).parsed.text).toContain("fee: 4 euros");
	expect(
		(await read({ cells: [null, 1, { cell_type: "code", source: { a: 1 }, outputs: "x" }] })).parsed.parts,
	).toEqual([]);
});

it("refuses what is no JSON", async () => {
	const format = findFormat("a.ipynb");
	if (format === undefined) throw new Error("no format");
	await expect(parseDocument(Buffer.from("{"), format)).rejects.toMatchObject({ code: "unreadable" });
});
