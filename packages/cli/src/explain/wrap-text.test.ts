import { expect, it } from "vitest";
import { renderBlocks, wrapLine } from "./wrap-text";

it.each([
	["one two three", 7, ["one two", "three"]],
	["one two three", 13, ["one two three"]],
	["averylongword and", 6, ["averylongword", "and"]],
	["", 10, [""]],
	["one two three", Number.POSITIVE_INFINITY, ["one two three"]],
])("breaks %j between words at %d", (text, width, lines) => expect(wrapLine(text, width)).toEqual(lines));

it("indents what goes on, and moves no cursor", () => {
	const paint = (format: unknown, text: string): string => `<${format}>${text}</>`;
	const blocks = [
		{ title: "First\u001b[2J", note: "a\nnote", lines: [{ text: "one two three four" }] },
		{ title: "Second", lines: [{ text: "five six seven", isDetail: true, isWarning: true }] },
	];
	expect(renderBlocks(blocks, { width: 16, paint })).toBe(
		[
			"<bold>First[2J</>  <dim>a note</>",
			"  one two",
			"    three four",
			"",
			"<bold>Second</>",
			"    <yellow>five six</>",
			"      <yellow>seven</>",
			"",
		].join("\n"),
	);
});
