import { expect, it } from "vitest";
import { createTokenizer } from "./tokenizer";

const tokenizer = createTokenizer();

it("returns the tokens of each text as FTS5 makes them, in their order", () => {
	expect(
		tokenizer.tokenize(["Two refunds, and refunds again.", "", "Größe naïve ｆｕｌｌ", "किताबें 42 ERR_9"]),
	).toEqual([
		["two", "refund", "and", "refund", "again"],
		[],
		["groß", "naiv", "ｆｕｌｌ"],
		["किताबें", "42", "err", "9"],
	]);
});

it("remembers nothing of earlier texts", () => {
	tokenizer.tokenize(["one two three"]);
	expect(tokenizer.tokenize(["four"])).toEqual([["four"]]);
});

it("keeps tokens short enough for an index, and apart", () => {
	const long = "a".repeat(5_000);
	const [[first = "", second = ""] = []] = tokenizer.tokenize([`${long}b ${long}c`]);
	expect(first.startsWith("aaaa")).toBe(true);
	expect(first).not.toBe(second);
	expect(Math.max(first.length, second.length)).toBeLessThan(200);
});
