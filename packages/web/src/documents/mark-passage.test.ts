import { describe, expect, it } from "vitest";
import { isAtPlace, markPassage } from "./mark-passage";

const TEXT = "# Refunds\n\nA refund takes\nfive days. A refund takes longer abroad.\n";
const place = (part: string, from = 0) => {
	const start = TEXT.indexOf(part, from);
	return { start, end: start + part.length };
};

describe("a passage in its document", () => {
	it("is marked at its place, whatever its white space", () => {
		const passage = "A refund takes five days.";
		const marked = markPassage(TEXT, { place: place("A refund takes\nfive days."), text: passage });
		expect(marked).toEqual({
			before: "# Refunds\n\n",
			marked: "A refund takes\nfive days.",
			after: " A refund takes longer abroad.\n",
		});
	});

	it("is marked at its place in a part of the document", () => {
		const whole = place("A refund takes longer abroad.");
		const offset = 30;
		const { before, marked } = markPassage(
			TEXT.slice(offset),
			{ place: whole, text: "A refund takes longer abroad." },
			offset,
		);
		expect([before.length + offset, marked]).toEqual([whole.start, "A refund takes longer abroad."]);
	});

	it("is found where the text has moved", () => {
		const moved = markPassage(`A preface.\n\n${TEXT}`, {
			place: place("A refund takes longer abroad."),
			text: "A refund takes longer abroad.",
		});
		expect(moved.marked).toBe("A refund takes longer abroad.");
	});

	it.each([
		["is there twice", "A refund takes", { start: 0, end: 5 }],
		["is gone", "A refund takes ten days.", place("A refund takes\nfive days.")],
		["is empty", "", { start: 5, end: 5 }],
		["is beyond the end", "nothing of it", { start: 900, end: 913 }],
	])("is not marked where it %s", (_, text, at) => {
		expect(markPassage(TEXT, { place: at, text })).toEqual({ before: TEXT, marked: "", after: "" });
	});

	it("is at its place only there, though it is found elsewhere", () => {
		const passage = { place: place("A refund takes longer abroad."), text: "A refund takes longer abroad." };
		expect(isAtPlace(TEXT, passage)).toBe(true);
		expect(isAtPlace(TEXT.slice(10), passage, 10)).toBe(true);
		expect(isAtPlace(`A preface. ${TEXT}`, passage)).toBe(false);
	});

	it.each([
		[
			"Markdown",
			"Get **16 weeks** of [leave](https://a.example/leave), paid.",
			"Get 16 weeks of leave, paid.",
		],
		["HTML", "<p>A refund takes <b>five</b> days &amp; more.", "A refund takes five days & more."],
	])("is marked where %s has markup that the passage has not", (_, text, passage) => {
		const at = { start: 0, end: text.length };
		expect(markPassage(text, { place: at, text: passage }).marked).toBe(text);
		const changed = passage.replace("16", "6").replace("five", "not five");
		expect(markPassage(text, { place: at, text: changed }).marked).toBe("");
	});
});
