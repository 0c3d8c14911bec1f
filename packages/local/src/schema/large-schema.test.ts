import type { Json, JsonSchema } from "@stemma/core";
import { expect, it } from "vitest";
import { validateSchema } from "./validate-schema";

const list = <Item>(length: number, make: (index: number) => Item): Item[] =>
	Array.from({ length }, (_, index) => make(index));
const named = (length: number, argument: Json): JsonSchema =>
	Object.fromEntries(list(length, (index) => [`p${index}`, argument]));

const OBJECTS = list(1_000, () => ({}));
const NUMBERS = list(1_000, () => 0);
/** About the steps that servers allow on their main thread. */
const STEPS = 50_000;

it.each<[string, JsonSchema, Json]>([
	["`patternProperties`", { items: { patternProperties: named(5_000, true) } }, OBJECTS],
	[
		"`additionalProperties` beside them",
		{ items: { additionalProperties: false, patternProperties: named(5_000, true) } },
		OBJECTS,
	],
	["`dependentSchemas`", { items: { dependentSchemas: named(5_000, true) } }, OBJECTS],
	["`dependencies`", { items: { dependencies: named(5_000, ["a"]) } }, OBJECTS],
	["`type`", { items: { type: list(5_000, () => "null") } }, NUMBERS],
	["`const` of many members", { items: { const: named(5_000, true) } }, OBJECTS],
	["properties of Unicode", { pattern: list(100, (n) => `[\\p{L}${n}]`).join("") }, "a".repeat(101)],
	["expressions in the value", { items: { format: "regex" } }, list(6, () => "\\p{L}".repeat(500))],
	["numbers of many digits", { items: { multipleOf: 5e-324 } }, list(300, () => 1.7e308)],
	["members to count", { allOf: list(1_000, () => ({ minProperties: 1 })) }, named(1_000, true)],
])("the size of an argument counts as steps: %s", (_, schema, value) => {
	expect(() => validateSchema(schema, value, STEPS)).toThrow(
		expect.objectContaining({ code: "schema_too_costly" }),
	);
});

it.each<[string, JsonSchema, Json, boolean]>([
	["a class that a count repeats", { pattern: "^\\p{L}{1,100}$" }, "a".repeat(100), true],
	["a pattern of usual classes", { items: { pattern: "^[\\p{L}\\d]+ \\w+$" } }, list(20, () => "a1 b"), true],
	["a large object", { items: { properties: { a: { type: "number" } } } }, list(500, (a) => ({ a })), true],
])("fits into the steps of a main thread: %s", (_, schema, value, valid) => {
	expect(validateSchema(schema, value, STEPS).valid).toBe(valid);
});

it("writes what a large argument says once for many errors", () => {
	const schema = { items: { not: { const: { a: "\u0001".repeat(1_000_000) } } } };
	const startedAt = process.threadCpuUsage();
	expect(validateSchema(schema, OBJECTS)).toEqual({ valid: true });
	expect(process.threadCpuUsage(startedAt).user).toBeLessThan(5_000_000);
	const failed = validateSchema({ items: { const: { a: "x".repeat(5_000) } } }, NUMBERS);
	expect(failed.valid ? [] : failed.errors[0]).toMatch(/^\/0: Instance does not match \{"a":"x+…\.$/);
});

it("counts the addresses of identifiers within each other as steps", () => {
	const nested = (levels: number): JsonSchema =>
		levels === 0 ? {} : { $id: `level-${levels}/`, not: { not: nested(levels - 1) } };
	expect(validateSchema(nested(50), 1, STEPS)).toEqual({ valid: true });
	expect(() => validateSchema(nested(600), 1, STEPS)).toThrow(
		expect.objectContaining({ code: "schema_too_costly" }),
	);
});

it.each<[Json, boolean]>([
	[["a", "a"], false],
	[["1:a", ["a"], { a: "a" }], true],
	[['"1:a', "1:a"], true],
	[[["a", "b"], ['a,"1:b']], true],
	[
		[
			{ a: 1, b: ["x"] },
			{ b: ["x"], a: 1 },
		],
		false,
	],
])("tells texts in unique items apart: %j", (value, valid) => {
	expect(validateSchema({ uniqueItems: true }, value).valid).toBe(valid);
});

it.each(["minItems", "maxItems", "minLength", "maxProperties", "pattern", "minContains"])(
	"`%s` of a list limits nothing",
	(keyword) => {
		const schema = { [keyword]: list(10, () => 1) };
		for (const value of ["a", ["a"], { a: 1 }])
			expect(validateSchema(schema, value)).toEqual({ valid: true });
	},
);
