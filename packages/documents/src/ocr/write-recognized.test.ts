import { expect, it } from "vitest";
import type { RecognizedLine } from "./text-recognizer";
import { writeRecognized } from "./write-recognized";

const line = (text: string, index: number, width = text.length * 5): RecognizedLine => ({
	text,
	x: 10,
	y: 10 + 12 * index,
	width,
	height: 10,
});

const write = (texts: readonly string[]) =>
	writeRecognized([{ page: 1, paragraphs: [texts.map((text, index) => line(text, index))] }]).text;

it("lines of running text are joined, and so are words that are hyphenated at their ends", () => {
	expect(write(["The members elect a trea-", "surer for two years.", "He keeps the books."])).toBe(
		"The members elect a treasurer for two years. He keeps the books.",
	);
});

it("lines of lists and forms stay lines", () => {
	const lines = [
		"Sauna 4.50",
		"Towels 2.00",
		"Lockers for a whole year, payable in advance 35.00",
		"Keys 1.00",
	];
	expect(write(lines)).toBe(lines.join("\n"));
});

it("each line has its place, rounded to a tenth", () => {
	const { parts } = writeRecognized([{ page: 3, paragraphs: [[{ ...line("One", 0), x: 1.23 }]] }]);
	const box = { page: 3, x: 1.2, y: 10, width: 15, height: 10 };
	expect(parts).toMatchObject([{ runs: [{ place: { kind: "page", page: 3, box } }] }]);
});
