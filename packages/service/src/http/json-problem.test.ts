import { expect, it } from "vitest";
import { findJsonProblem } from "./json-problem";

const nest = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);

it("lets pass what can be kept", () => {
	expect(findJsonProblem({ a: ["😀", null, { b: 1 }] })).toBeUndefined();
	expect(findJsonProblem(nest(200))).toBeUndefined();
});

it.each([
	[{ a: { b: ["x", "\ud800"] } }, "a.b[1]"],
	[{ "\udfff": 1 }, ""],
	["\udfffx", ""],
])("finds half characters: %#", (json, path) => {
	expect(findJsonProblem(json)).toMatchObject({
		path,
		message: expect.stringContaining("half of a character"),
	});
});

it.each([201, 100_000])("finds what is nested %i levels deep", (levels) => {
	expect(findJsonProblem({ metadata: nest(levels) })).toMatchObject({
		path: "metadata[0][0]",
		message: expect.stringContaining("levels deep"),
	});
});
