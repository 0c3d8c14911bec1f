import type { Citation } from "@stemma/core";
import { expect, it } from "vitest";
import { findCitationMarks } from "./citation-marks";

const toCitation = (n: number, address: Partial<Citation>): Citation => ({
	n,
	passage_id: `psg_${n}`,
	document_id: `doc_${n}`,
	title: `Page ${n}`,
	place: { start: 0, end: 4 },
	text: "text",
	support: "quoted",
	...address,
});
const page = toCitation(1, { url: "https://a.example/", document_url: "https://stemma.example/1" });
const file = toCitation(2, { document_url: "https://stemma.example/2" });

it("finds each mark of a passage whose document has an address", () => {
	const marks = findCitationMarks("A [1]. B [2][1].", [page, file, toCitation(3, {})], 10);
	expect(marks.map(({ citation: { n }, url, start, end }) => [n, url, start, end])).toEqual([
		[1, "https://a.example/", 12, 15],
		[2, "https://stemma.example/2", 19, 22],
		[1, "https://a.example/", 22, 25],
	]);
});

it("finds none in links, in numbers of no passage and of documents without an address", () => {
	expect(findCitationMarks("[1](https://x.example) [9] a[3]", [page, toCitation(3, {})])).toEqual([]);
});
