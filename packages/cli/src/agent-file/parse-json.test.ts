import { describe, expect, it } from "vitest";
import { parseJson } from "./parse-json";

describe("parseJson", () => {
	it("parses JSON, with a byte order mark too", () => {
		expect(parseJson('\uFEFF{"a":[1]}', "a.json")).toEqual({ a: [1] });
	});

	it.each([
		["", "a.json:1:1: The file is empty"],
		["{\n  nodes: []\n}", "a.json:2:3: Not JSON: an unknown word"],
		['{\n  "nodes": [],\n}', "a.json:3:1: Not JSON: a property name in double quotes"],
		['{"a": 1 "b": 2}', "a.json:1:9: Not JSON: a comma is expected"],
		['{"a" 1}', "a.json:1:6: Not JSON: a colon is expected"],
		['{"a": "text', "a.json:1:7: Not JSON: the text has no closing quote"],
		['{"a": [1, 2', "a.json:1:12: Not JSON: a closing bracket ]"],
		['{"a": 1} x', "a.json:1:10: Not JSON: "],
		['// note\r\n{"a": 1}', "a.json:1:1: Not JSON: comments are not allowed"],
		["nodes", "a.json:1:1: Not JSON: an unknown word"],
		["[".repeat(100_000), "a.json:1:"],
	])("says where %j is no JSON", (text, message) => {
		expect(() => parseJson(text, "a.json")).toThrow(message);
	});
});
