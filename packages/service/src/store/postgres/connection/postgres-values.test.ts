import { describe, expect, it } from "vitest";
import { getValueParser, parseArray, toParameter } from "./postgres-values";

describe("an array of Postgres", () => {
	it.each([
		["{}", []],
		["{a,b}", ["a", "b"]],
		['{"a b","c,d","{e}"}', ["a b", "c,d", "{e}"]],
		['{"","\\"","\\\\"}', ["", '"', "\\"]],
		['{"a\nb"}', ["a\nb"]],
	])("%j is a list", (text, expected) => {
		expect(parseArray(text)).toEqual(expected);
	});
});

it("a type without a parser is text", () => {
	expect(getValueParser(25)("7")).toBe("7");
});

it("bytes are plain, and own their memory", () => {
	const bytes = getValueParser(17)("\\x00ff");
	expect(bytes).toStrictEqual(new Uint8Array([0, 255]));
});

it("NUL characters of bound text become U+FFFD, in lists too", () => {
	expect(toParameter("a\u0000b")).toBe("a\ufffdb");
	expect(toParameter(["a", "\u0000"])).toEqual(["a", "\ufffd"]);
	const bytes = new Uint8Array([0]);
	expect(toParameter(bytes)).toBe(bytes);
	expect(toParameter(null)).toBeNull();
});
