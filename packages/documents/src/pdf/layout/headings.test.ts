import { expect, it } from "vitest";
import { toSensibleTitle } from "../pdf-title";
import { segment } from "../test-support/segments";
import { findHeadings } from "./headings";
import type { Paragraph } from "./paragraphs";
import { toRows } from "./text-rows";

const paragraph = (text: string, facts: { fontSize?: number; isBold?: boolean } = {}): Paragraph => ({
	kind: "paragraph",
	rows: toRows([segment(text, 50, 100, facts)]),
});
const BODY = paragraph("Running text of the document, which is most of what there is in it, and ends so.");

it("gives each style a level, and level 1 to a title alone", () => {
	const title = paragraph("Handbook", { fontSize: 24 });
	const chapter = paragraph("Money", { fontSize: 16 });
	const section = paragraph("Refunds", { isBold: true });
	const other = paragraph("Letters", { fontSize: 16 });
	const levels = findHeadings([title, BODY, chapter, BODY, section, BODY, other, BODY], []);
	expect([title, chapter, section, other].map((one) => levels.get(one))).toEqual([1, 2, 3, 2]);
	expect(findHeadings([chapter, BODY, other, BODY], []).get(chapter)).toBe(2);
});

it("takes no sentence, no bullet and no number for a heading", () => {
	const others = ["A sentence in bold.", "• a bullet", "12.50", "Name:"].map((text) =>
		paragraph(text, { isBold: true }),
	);
	expect(findHeadings([BODY, ...others], []).size).toBe(0);
});

it("takes no stamp at the side of a page for a heading", () => {
	const rows = toRows([segment("arXiv:2004.04906v3", 50, 100, { fontSize: 20, angle: 270 })]);
	expect(findHeadings([BODY, { kind: "paragraph", rows }, BODY], []).size).toBe(0);
});

it("knows headings by the outline, however they look", () => {
	const plain = paragraph("3.1  Sending parcels");
	const levels = findHeadings([BODY, plain, BODY], [{ title: "3.1 Sending Parcels", depth: 1 }]);
	expect(levels.get(plain)).toBe(3);
});

it.each([
	["Terms of delivery", "Terms of delivery"],
	["  Terms\n of   delivery ", "Terms of delivery"],
	["Microsoft Word - x", undefined],
	["(anonymous)", undefined],
	["untitled", undefined],
	["agb_2024.docx", undefined],
	["12-34", undefined],
	["配送条件", "配送条件"],
	[undefined, undefined],
])("takes the title %s as %s", (title, sensible) => {
	expect(toSensibleTitle(title)).toBe(sensible);
});
