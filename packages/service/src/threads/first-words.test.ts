import { expect, it } from "vitest";
import { firstWords } from "./first-words";

it.each([
	["What is a harbour?", "What is a harbour?"],
	["  two\n\nlines\tand\u200b more ", "two lines and more"],
	[`${"word ".repeat(20)}`, `${"word ".repeat(12).trim()}…`],
	["x".repeat(70), `${"x".repeat(60)}…`],
	[`${"x".repeat(59)}😀😀`, `${"x".repeat(59)}…`],
	["", ""],
])("makes a title of %j", (text, title) => {
	expect(firstWords(text)).toBe(title);
});
