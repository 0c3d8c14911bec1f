import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { createJsonTextSplitter, RepeatedFieldError } from "./json-text-splitter";

function split(json: string, size: number): { readonly text: string; readonly rest: string } {
	const splitter = createJsonTextSplitter("text");
	let text = "";
	for (let start = 0; start < json.length; start += size)
		text += splitter.push(json.slice(start, start + size));
	return { text, rest: splitter.rest() };
}

/** Escapes whatever can be escaped. */
const escapeAll = (json: string): string =>
	json.replace(/(?<=": ")[^"\\]*/g, (text) =>
		[...text]
			.flatMap((character) => character.split(""))
			.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
			.join(""),
	);

describe("the text of an object", () => {
	it.each([
		['{"text":"a\\nb","title":"t"}', "a\nb", { text: "x", title: "t" }],
		['{ "title" : "\\"text\\":" , "text" : "\\\\\\"" }', '\\"', { text: "x", title: '"text":' }],
		['{"t\\u0065xt":"\\ud83d\\ude00 😀"}', "😀 😀", { text: "x" }],
		['{"text":""}', "", { text: "" }],
		['{"metadata":{"text":"inner"},"text":"outer"}', "outer", { metadata: { text: "inner" }, text: "x" }],
		['{"metadata":[{"text":"inner"}]}', "", { metadata: [{ text: "inner" }] }],
		['{"text":5}', "", { text: 5 }],
		['{"text":["a"]}', "", { text: ["a"] }],
		['["text","a"]', "", ["text", "a"]],
		['"text"', "", "text"],
	])("comes out of it at every size of pieces: %s", (json, text, rest) => {
		for (let size = 1; size <= json.length; size++) {
			const found = split(json, size);
			expect(found.text).toBe(text);
			expect(JSON.parse(found.rest)).toEqual(rest);
		}
	});

	test("is what JSON.parse makes of it", () => {
		const metadata = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
		fc.assert(
			fc.property(
				fc.string({ unit: "binary" }),
				metadata,
				fc.boolean(),
				fc.nat({ max: 20 }),
				(text, more, escapes, size) => {
					const plain = JSON.stringify({ metadata: more, text, source: text }, undefined, 1);
					const json = escapes ? escapeAll(plain) : plain;
					const found = split(json, size + 1);
					expect(found.text).toBe(text);
					expect(JSON.parse(found.rest)).toEqual(
						JSON.parse(JSON.stringify({ metadata: more, text: text === "" ? "" : "x", source: text })),
					);
				},
			),
			{ numRuns: 40 },
		);
	});

	it("keeps half of a character as it is", () => {
		const json = '{"text":"\\ud83d-\\ude00\\ud83d"}';
		for (let size = 1; size <= json.length; size++)
			expect(split(json, size).text).toBe("\ud83d-\ude00\ud83d");
	});
});

describe("what is no JSON", () => {
	it.each(['{"text":"a\nb"}', '{"text":"\\x"}', '{"text":"\\u00zz"}'])("fails in the text: %j", (json) => {
		for (let size = 1; size <= json.length; size++) expect(() => split(json, size)).toThrow(SyntaxError);
	});

	it.each(['{"text":"a"', '{"text":"a', '{"text":"a"}}', '{"text" "a"}', "{text:1}", '{"text":"a" "b"}', ""])(
		"stays none outside of it: %j",
		(json) => {
			for (let size = 1; size <= json.length + 1; size++)
				expect(() => JSON.parse(split(json, size).rest)).toThrow(SyntaxError);
		},
	);

	it("is a field that is there twice", () => {
		expect(() => split('{"text":"a","text":"b"}', 3)).toThrow(RepeatedFieldError);
	});
});

it("takes no longer than its length, whatever is in it", () => {
	const many = 200_000;
	for (const piece of [":", "{", "[]", '"', '"text":', '"a":', "\\", " "]) {
		const splitter = createJsonTextSplitter("text");
		try {
			splitter.push(`{${piece.repeat(many)}`);
		} catch (error) {
			expect(error).toBeInstanceOf(Error);
		}
	}
});
