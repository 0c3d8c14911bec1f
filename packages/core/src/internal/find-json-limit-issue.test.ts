import fc from "fast-check";
import { expect, it } from "vitest";
import { findJsonLimitIssue, MAX_JSON_VALUES } from "./find-json-limit-issue";

const findIssue = (value: unknown) => findJsonLimitIssue(JSON.stringify(value));
const nest = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;

it("lets pass what can be kept", () => {
	expect(findIssue({ a: ["😀", null, { b: 1 }] })).toBeUndefined();
	expect(findJsonLimitIssue('["\\ud83d\\ude00"]')).toBeUndefined();
	expect(findJsonLimitIssue(nest(200))).toBeUndefined();
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			expect(findIssue(value)).toBeUndefined();
		}),
	);
});

it("leaves what is no JSON to the parser", () => {
	fc.assert(
		fc.property(
			fc.string({ unit: fc.constantFrom("[", "]", "{", "}", ",", ":", '"', "\\", "1", " ") }),
			(text) => {
				expect(findJsonLimitIssue(text)).toBeUndefined();
			},
		),
	);
});

it.each([
	[{ a: { b: ["x", "\ud800"] } }, "a.b[1]"],
	[{ a: [{ x: 1, "\udfff": 1 }] }, "a[0]"],
	["\udfffx", ""],
])("finds half characters: %#", (json, path) => {
	expect(findIssue(json)).toMatchObject({ path, message: expect.stringContaining("half of a character") });
});

it.each([201, 100_000])("finds what is nested %i levels deep", (levels) => {
	expect(findJsonLimitIssue(`{"metadata": ${nest(levels)}}`)).toMatchObject({
		path: "metadata[0][0]",
		message: expect.stringContaining("levels deep"),
	});
});

it("finds lists and values without end", () => {
	const long = new Array(50_001).fill(1);
	expect(findIssue({ n: 1, messages: [{ content: long }] })).toMatchObject({
		path: "messages[0].content",
		message: "holds more than 50,000 items",
	});
	expect(findIssue({ messages: new Array(3).fill(long.slice(1)) })).toMatchObject({
		path: "",
		message: "holds more than 100,000 values",
	});
	expect(findIssue(long.slice(1))).toBeUndefined();
});

it.each(["[]", "{}", "0", '""'])("counts each of many %s once", (value) => {
	const toText = (count: number): string => {
		const lists = Array.from(
			{ length: 10 },
			() =>
				`[${Array(count / 10 - 1)
					.fill(value)
					.join(",")}]`,
		);
		return `[${lists.join(",")}]`;
	};
	expect(findJsonLimitIssue(toText(MAX_JSON_VALUES))).toBeUndefined();
	expect(findJsonLimitIssue(toText(MAX_JSON_VALUES + 100))).toMatchObject({ path: "" });
});

it("counts nothing that is in a string", () => {
	const text = ',[{\\"'.repeat(100_000);
	expect(findIssue([text, text])).toBeUndefined();
	expect(findJsonLimitIssue(`["${"\\\\".repeat(500)}",1,"${text}`)).toBeUndefined();
});
