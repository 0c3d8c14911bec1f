import { expect, it } from "vitest";
import { validateAgent } from "./validate-agent";

const findIssues = (output: object) => {
	const validation = validateAgent({ nodes: [{ id: "desk", kind: "coordinator", output }] });
	return validation.success ? [] : validation.error.issues.map(({ code, path }) => [code, path.join("/")]);
};

/** Definitions of which each has the next one several times in place. */
function multiplied(levels: number, keyword: string, times: number): object {
	const definitions = Array.from({ length: levels }, (_, level) => {
		const next = { $ref: `#/$defs/a${level + 1}` };
		return [`a${level}`, { [keyword]: Array.from({ length: times }, () => next) }];
	});
	const $defs = { ...Object.fromEntries(definitions), [`a${levels}`]: { type: "string" } };
	return { type: "object", properties: { deep: { $ref: "#/$defs/a0" } }, $defs };
}

const branch = { anyOf: [{ $ref: "#/$defs/leaf" }, { type: "array", items: { $ref: "#/$defs/tree" } }] };
const chain = (length: number): object => ({
	$ref: "#/$defs/a0",
	$defs: Object.fromEntries(
		Array.from({ length }, (_, index) => [`a${index}`, { $ref: `#/$defs/a${index + 1}` }]),
	),
});

it.each([
	["doubled references", multiplied(28, "allOf", 2), "nodes/0/output/properties/deep"],
	["`oneOf` of 24 within each other", multiplied(4, "oneOf", 24), "nodes/0/output/properties/deep"],
	["a reference to itself", { $ref: "#" }, "nodes/0/output"],
	[
		"a circle",
		{ $defs: { a: { not: { $anchor: "b", $ref: "#/$defs/a" } } }, items: { $ref: "#b" } },
		"nodes/0/output/items",
	],
	["a long chain", chain(600), "nodes/0/output"],
	["very many parts", { enum: Array.from({ length: 10_001 }, () => []) }, "nodes/0/output"],
	["very many characters", { const: "x".repeat(262_144) }, "nodes/0/output"],
	["very many names", { type: Array.from({ length: 50_000 }, () => "null") }, "nodes/0/output"],
])("refuses %s, with the place", (_, output, path) => {
	expect(findIssues(output)).toEqual([["schema_too_costly", path]]);
});

it.each([
	[
		"a tree that refers to itself below a value",
		{ $ref: "#/$defs/tree", $defs: { tree: branch, leaf: { type: "string" } } },
	],
	["200 alternatives", { anyOf: Array.from({ length: 200 }, (_, n) => ({ const: n })) }],
	[
		"shared definitions",
		{
			properties: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`p${n}`, { $ref: "#/$defs/x" }])),
			$defs: { x: { type: "string" } },
		},
	],
	[
		"a property called `allOf` and one called `$ref`",
		{ properties: { allOf: { type: "string" }, $ref: { type: "string" } } },
	],
	["a chain of 100", chain(100)],
])("takes %s", (_, output) => {
	expect(findIssues(output)).toEqual([]);
});
