import { describe, expect, it } from "vitest";
import { findContextPaths, readContext, readInput } from "./read-input";

describe("the input of a run", () => {
	it.each([
		["How long?", "How long?"],
		["42", "42"],
		[' {"order": 7}', { order: 7 }],
		["[1]", [1]],
		["{not json", "{not json"],
	])("of %j", (text, input) => expect(readInput(text)).toEqual(input));
});

describe("the context of a run", () => {
	it("is an object, or none", () => {
		expect([readContext('{"a":1}'), readContext(" "), readContext("[1]"), readContext("{")]).toEqual([
			...[{ a: 1 }, {}, undefined, undefined],
		]);
	});

	it("is what instructions are filled from", () => {
		const instructions = "For {{context.user.name}}, {{ context.day }} and {{context.day}}. {{other}}";
		expect(
			findContextPaths({
				nodes: [
					{ id: "desk", kind: "coordinator", instructions },
					{ id: "mail", kind: "tool", tool: "send" },
				],
			}),
		).toEqual(["user.name", "day"]);
	});
});
