import { visibleText } from "@stemma/core/internal";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createVisibleStream } from "./visible-stream";

const tags = (text: string): string =>
	Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");

const PARTS = [
	"a",
	"5",
	" ",
	"\n",
	"é",
	"😀",
	"👩",
	"❤",
	"\ufe0f",
	"\u200d",
	"\u200c",
	"\u200f",
	"\u202e",
	"\u001b[31m",
	"\u0007",
	"\r",
	"ش",
	"क्",
	"葛",
	"\u{e0100}",
	"\u{1f3f4}",
	tags("gbeng"),
	"\u{e007f}",
	tags("obey me"),
];

it("shows the same whatever the pieces, to every cut between code units", () => {
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }),
			fc.array(fc.nat({ max: 60 }), { maxLength: 8 }),
			(parts, cuts) => {
				// Marks of direction depend on all that was before.
				const text = `ش${parts.join("")}`;
				const stream = createVisibleStream();
				const at = [
					0,
					...cuts.filter((cut) => cut < text.length).sort((one, other) => one - other),
					text.length,
				];
				const shown = at.slice(1).map((end, index) => stream.add(text.slice(at[index], end)));
				expect(shown.join("") + stream.end()).toBe(visibleText(text));
			},
		),
		{ numRuns: 2_000 },
	);
});

it("shows plain text at once", () => {
	const stream = createVisibleStream();
	expect(["Hello", " world", ".", "\n"].map((piece) => stream.add(piece))).toEqual([
		"Hello",
		" world",
		".",
		"\n",
	]);
	expect(stream.end()).toBe("");
});

it("does not wait for ever, nor longer with each piece", () => {
	const stream = createVisibleStream();
	const started = process.threadCpuUsage();
	for (let count = 0; count < 20_000; count += 1) stream.add(tags("x".repeat(10)));
	expect(process.threadCpuUsage(started).user).toBeLessThan(10_000_000);
});
