import { describe, expect, it } from "vitest";
import { findJsonError } from "./find-json-error";
import { parseJson } from "./parse-json";

describe("parseJson", () => {
	it("accepts a byte order mark", () => {
		expect(parseJson('\uFEFF{"a":[1,2.5e-3,null,true,"\\u00e9"]}')).toMatchObject({ success: true });
	});

	it.each([
		["", "The file is empty"],
		[" \n", "The file is empty"],
		['{"nodes": [\n  {"id": "a",}\n]}', "line 2, column 14: a property name in double quotes is expected"],
		['{"a": 1,\r\n\r\n"b" 2}', "line 3, column 5: a colon is expected"],
		["{a: 1}", "line 1, column 2: a property name"],
		["[1, ]", "line 1, column 5: a value is expected"],
		["[1 2]", "line 1, column 4: a comma or the closing bracket"],
		["[1}", "line 1, column 3: a comma or the closing bracket"],
		['{"a": }', "line 1, column 7: a value is expected"],
		['{"a": 1', "line 1, column 8: the text ends here, and a comma or the closing bracket"],
		['["abc', "line 1, column 2: a text starts here that has no closing quote"],
		['["a\nb"]', "line 1, column 4: a control character"],
		['["a\\x"]', "line 1, column 4: an unknown escape"],
		['["\\u12"]', "line 1, column 3: an unknown escape"],
		["{} {}", "line 1, column 4: the end of the file is expected"],
		["// note\n{}", "line 1, column 1: a value is expected"],
		["[01]", "line 1, column 3: a comma"],
		["[-]", "line 1, column 2: a value"],
		["[True]", "line 1, column 2: a value"],
		["[".repeat(100_000), "column 100001: the text ends here"],
	])("says where %j stops being JSON", (text, message) => {
		expect(parseJson(text)).toEqual({ success: false, message: expect.stringContaining(message) });
	});
});

it("finds an error in a text exactly when JSON.parse does, however it is cut or changed", () => {
	const whole = '{"a": [1, -2.5e+3, {}, [], "x\\n\\u00e9"], "b": {"c": null, "d": true}, "": false} ';
	const isJson = (text: string): boolean => {
		try {
			JSON.parse(text);
			return true;
		} catch {
			return false;
		}
	};
	for (let index = 0; index <= whole.length; index++)
		for (const text of [
			whole.slice(0, index),
			...[...'{}[]:,"\\1 e'].map((mark) => whole.slice(0, index) + mark + whole.slice(index + 1)),
			whole.slice(0, index) + whole.slice(index + 1),
		])
			expect({ text, isJson: findJsonError(text) === undefined }).toEqual({ text, isJson: isJson(text) });
});
