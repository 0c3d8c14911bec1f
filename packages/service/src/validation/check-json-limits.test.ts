import { expect, it } from "vitest";
import { findJsonLimitIssue } from "./check-json-limits";

const nest = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

it("lets pass what can be kept", () => {
	expect(findJsonLimitIssue({ a: ["😀", null, { b: 1 }] })).toBeUndefined();
	expect(findJsonLimitIssue(nest(200))).toBeUndefined();
});

it.each([
	[{ a: { b: ["x", "\ud800"] } }, "a.b[1]"],
	[{ "\udfff": 1 }, ""],
	["\udfffx", ""],
])("finds half characters: %#", (json, path) => {
	expect(findJsonLimitIssue(json)).toMatchObject({
		path,
		message: expect.stringContaining("half of a character"),
	});
});

it.each([201, 100_000])("finds what is nested %i levels deep", (levels) => {
	expect(findJsonLimitIssue({ metadata: nest(levels) })).toMatchObject({
		path: "metadata[0][0]",
		message: expect.stringContaining("levels deep"),
	});
});

it("finds lists and values without end", () => {
	const long = new Array(50_001).fill(1);
	expect(findJsonLimitIssue({ messages: [{ content: long }] })).toMatchObject({
		path: "messages[0].content",
		message: "holds more than 50,000 items",
	});
	expect(findJsonLimitIssue({ messages: new Array(5).fill(long.slice(1)) })).toMatchObject({
		path: "",
		message: "holds more than 200,000 values",
	});
	expect(findJsonLimitIssue(long.slice(1))).toBeUndefined();
});
