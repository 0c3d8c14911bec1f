import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJsonUnwrapper, unwrapJson } from "./unwrap-json";

const JSON_TEXT = '{"a":"``` b"}';

describe.each([
	["plain", JSON_TEXT, JSON_TEXT],
	["in a fence", `\n\`\`\`json\n${JSON_TEXT}\n\`\`\`\n`, JSON_TEXT],
	["in a fence without a language", `\`\`\`\n${JSON_TEXT}\n\`\`\``, JSON_TEXT],
	["empty", "", ""],
	["prose", "`12` euro.", "`12` euro."],
	["a fence that does not end", '```json\n{"a":', '{"a":'],
])("a text that is %s", (_, text, wanted) => {
	it("comes without its fence, wherever it is cut", () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.nat(text.length)), (cuts) => {
				const ends = [...cuts, text.length].sort((one, other) => one - other);
				const unwrapper = createJsonUnwrapper();
				const pieces = ends.map((end, index) => unwrapper.push(text.slice(ends[index - 1] ?? 0, end)));
				expect(pieces.join("") + unwrapper.end()).toBe(wanted);
			}),
		);
	});

	it("is the same as a whole, where the fence ends", () => {
		expect(unwrapJson(text)).toBe(text.includes("}") || wanted === text ? wanted : text);
	});
});

it("is found behind a sentence, as a whole", () => {
	expect(unwrapJson('Here it is:\n```json\n{"a":1}\n```\nGood?')).toBe('{"a":1}');
});

describe("a hostile reply takes time in proportion to its length", () => {
	const LENGTH = 400_000;

	it.each([
		["white space", " ".repeat(LENGTH)],
		["white space in a fence", "```json\n".padEnd(LENGTH)],
		["an opening that does not end", "```json".padEnd(LENGTH)],
	])("in small pieces: %s", (_, text) => {
		const unwrapper = createJsonUnwrapper();
		let length = 0;
		for (let from = 0; from < LENGTH; from += 7) length += unwrapper.push(text.slice(from, from + 7)).length;
		expect(length + unwrapper.end().length).toBeGreaterThan(LENGTH - 100);
	});

	it("as a whole: fences that open and do not end", () => {
		const text = "x```\n".repeat(LENGTH / 5);
		expect(unwrapJson(text)).toBe(text);
	});
});
