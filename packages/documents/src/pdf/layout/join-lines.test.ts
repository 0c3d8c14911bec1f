import { expect, it } from "vitest";
import { findCompounds, joinHyphenated, toSeparator } from "./join-lines";

const join = (lines: readonly string[], compounds: readonly string[] = []): string =>
	joinHyphenated(
		lines.map((text) => ({ text })),
		findCompounds(compounds),
	)
		.map(({ text }) => text)
		.join(" ");

it.each([
	["a word at the end", ["a com-", "pany of ours"], [], "a company of ours"],
	["several in a row", ["a com-", "pany that under-", "stands"], [], "a company that understands"],
	["a soft hyphen", ["a com\u00AD", "pany"], [], "a company"],
	[
		"a compound that is written so elsewhere",
		["an open-", "domain question"],
		["for open-domain questions"],
		"an open-domain question",
	],
	["a name", ["the Denial-of-", "Service attack"], [], "the Denial-of- Service attack"],
	["a range", ["from 10-", "20 kg"], [], "from 10- 20 kg"],
	["a dash", ["a pause -", "and on"], [], "a pause - and on"],
])("joins %s", (_, lines, compounds, joined) => {
	expect(join(lines, compounds)).toBe(joined);
});

it("puts no blanks between lines of Chinese and Japanese", () => {
	expect(toSeparator([{ text: "返品は到着後三十日以" }, { text: "内にお願いします。" }])).toBe("");
	expect(toSeparator([{ text: "반품은 도착 후" }, { text: "삼십일 이내" }])).toBe(" ");
});
