import { describe, expect, it } from "vitest";
import { wrapWords } from "./wrap-words";

describe("wrapWords", () => {
	it("breaks between words", () => {
		expect(wrapWords(" Parents get\n16 weeks  of paid leave. ", 12)).toEqual([
			"Parents get",
			"16 weeks of",
			"paid leave.",
		]);
	});

	it("breaks words that are wider than a row, by what they take on a terminal", () => {
		expect(wrapWords("a 0123456789", 6)).toEqual(["a", "012345", "6789"]);
		expect(wrapWords("休暇は会社が与える", 8)).toEqual(["休暇は会", "社が与え", "る"]);
	});

	it("says where it was cut, within the width", () => {
		expect(wrapWords("one two three four", 9, 1)).toEqual(["one two …"]);
		expect(wrapWords("one two three four", 9, 2)).toEqual(["one two", "three …"]);
		expect(wrapWords("one two", 9, 1)).toEqual(["one two"]);
	});

	it("obeys nothing that a terminal would, and keeps what words are written with", () => {
		expect(wrapWords("a\u001b[31mb می‌خواهم 👩‍🚀 Größe", 40)).toEqual(["a[31mb می‌خواهم 👩‍🚀 Größe"]);
	});

	it("makes one empty row of nothing", () => {
		expect(wrapWords(" \n", 40, 3)).toEqual([""]);
	});
});
