import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countWords } from "./passage-units";

const WORD =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,20}/gu;

describe("countWords", () => {
	it("counts up to 20 characters, or two of the scripts without blanks, as a word", () => {
		const texts = [
			"",
			" ",
			"one two",
			"x".repeat(41),
			"今日は。",
			"a\u00a0b\u2003c\u3000d",
			"x今y",
			"😀".repeat(21),
		];
		expect(texts.map(countWords)).toEqual([0, 0, 2, 3, 3, 4, 3, 2]);
	});

	it("counts as its definition does, in any text", () => {
		const piece = fc.oneof(
			fc.string({ unit: "binary" }),
			fc.constantFrom("word", " ", "\u0085", "\u180e", "\ufeff"),
		);
		fc.assert(
			fc.property(fc.array(piece), (pieces) => {
				const text = pieces.join("");
				expect(countWords(text)).toBe(text.match(WORD)?.length ?? 0);
			}),
		);
	});
});
