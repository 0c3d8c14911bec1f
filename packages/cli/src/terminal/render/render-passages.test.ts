import type { FoundPassage } from "@stemma/client";
import { expect, it } from "vitest";
import { renderPassages } from "./render-passages";
import { renderSources } from "./render-sources";

const place = { page: 3, heading: "Fees › Late payment", start: 0, end: 9 };
const passage: FoundPassage = {
	passage_id: "psg_1",
	document_id: "doc_1",
	knowledge_base_id: "kb_1",
	knowledge_base: "rules",
	title: "Fees\u001b[2J",
	source: "fees.pdf",
	place,
	text: `Who pays late\npays 5 percent more. ${"On and on. ".repeat(30)}`,
	score: 12.3456,
	metadata: {},
};

const stdout = (columns: number) => Object.assign(Object.create(process.stdout), { columns, isTTY: false });

it("passages have their place, and no more of their text than three rows", () => {
	const text = renderPassages(
		[passage, { ...passage, source: null, score: 5.1, text: "Short." }],
		{ stdout: stdout(45) },
		{
			isFull: false,
		},
	);
	expect(text).toBe(
		[
			"[1]  Fees[2J  score 100 %",
			"     rules: fees.pdf, page 3 › Fees › Late",
			"     payment",
			"     Who pays late pays 5 percent more. On",
			"     and on. On and on. On and on. On and",
			"     on. On and on. On and on. On and on. …",
			"",
			"[2]  Fees[2J  score 41 %",
			"     rules: doc_1, page 3 › Fees › Late",
			"     payment",
			"     Short.",
			"",
		].join("\n"),
	);
});

it("whole passages keep their lines", () => {
	const text = renderPassages(
		[{ ...passage, text: "One.\n\nTwo." }],
		{ stdout: stdout(80) },
		{ isFull: true },
	);
	expect(text.split("\n").slice(2)).toEqual(["     One.", "", "     Two.", ""]);
});

it("sources of an answer have their place in the file", () => {
	const citation = { ...passage, n: 1, title: "Fees", support: "supported" } as const;
	const text = renderSources([citation], () => "fees.pdf", { stdout: stdout(80) });
	expect(text).toBe("\nSources\n  [1] fees.pdf, page 3 › Fees › Late payment\n");
});

it.each([
	[0.00000262, 0.0000013, "50 %"],
	[0.98, 0.002, "0 %"],
	[-3.5, -7, "-7"],
])("scores of which the best is %d show %d as %s", (best, score, shown) => {
	const passages = [best, score].map((each) => ({ ...passage, score: each }));
	const text = renderPassages(passages, { stdout: stdout(80) }, { isFull: true });
	expect(text.split("\n").find((line) => line.startsWith("[2]"))).toMatch(new RegExp(`  score ${shown}$`));
});
