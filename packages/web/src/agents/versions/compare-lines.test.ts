import { expect, it } from "vitest";
import { compareLines } from "./compare-lines";

const toText = (...lines: readonly string[]): string => lines.join("\n");
const same = (text: string) => ({ change: "same", text });

it("marks the lines that one text has, with three others around them", () => {
	const before = toText(..."abcdefghij");
	const after = toText(..."abcdeXghij");
	expect(compareLines(before, after)).toEqual([
		{ change: "skipped", count: 2 },
		...["c", "d", "e"].map(same),
		{ change: "removed", text: "f" },
		{ change: "added", text: "X" },
		...["g", "h", "i"].map(same),
		same("j"),
	]);
});

it("marks nothing in the same text", () => {
	expect(compareLines("a", "a")).toEqual([same("a")]);
	expect(compareLines(toText(..."abc"), toText(..."abc"))).toEqual([{ change: "skipped", count: 3 }]);
});
