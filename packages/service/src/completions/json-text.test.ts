import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJsonUnwrapper, unwrapJson } from "./json-text";

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

	it.skipIf(text.includes('{"a":') && !text.includes("}"))("is the same as a whole", () => {
		expect(unwrapJson(text)).toBe(wanted);
	});
});

it("is found behind a sentence, as a whole", () => {
	expect(unwrapJson('Here it is:\n```json\n{"a":1}\n```\nGood?')).toBe('{"a":1}');
});
