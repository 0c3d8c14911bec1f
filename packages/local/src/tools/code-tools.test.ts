import type { AgentGraph, JsonObject } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { assertToolsRegistered, codeTools, readTools } from "./code-tools";
import { defineTool, type LocalTool, type ToolSchema } from "./define-tool";

const jsonSchema = {
	type: "object",
	properties: { order: { type: "string" }, lines: { type: "array", items: { type: "integer" } } },
	required: ["order"],
	additionalProperties: false,
} as const;

/** As a library makes it: checks, and gives a date. */
const schema: ToolSchema<{ readonly at: Date }> = {
	"~standard": {
		validate: async (value) => {
			const { at } = value as { readonly at?: unknown };
			return typeof at === "string"
				? { value: { at: new Date(at) } }
				: { issues: [{ message: "Expected a time", path: [{ key: "at" }, 0] } as { message: string }] };
		},
		jsonSchema: {
			input: () => ({ $schema: "draft", type: "object", properties: { at: { type: "string" } } }),
		},
	},
};

const reference = { node: "refund-node", tool: "refund" };
const { signal } = new AbortController();

const call = (tool: LocalTool, args: JsonObject) =>
	codeTools(readTools({ refund: tool })).call({ ...reference, runId: "run_1", arguments: args }, { signal });

const describeTool = (tool: LocalTool) =>
	codeTools(readTools({ refund: tool })).describe(reference, { signal });

describe("a tool with JSON Schema", () => {
	const refund = defineTool({
		description: "Pays back.",
		idempotent: true,
		parameters: jsonSchema,
		run: ({ order }, { runId, node }) => ({ order: order ?? null, runId, node }),
	});

	it("is described, and called with what fits", async () => {
		expect(await describeTool(refund)).toEqual({
			description: "Pays back.",
			idempotent: true,
			parameters: jsonSchema,
		});
		expect(await call(refund, { order: "A1" })).toEqual({
			order: "A1",
			runId: "run_1",
			node: "refund-node",
		});
	});

	it.each([
		[{}, /arguments of "refund" do not fit.*"order"/],
		[{ order: "A1", lines: [1, "x"] }, /\/lines\/1: .*integer/],
		[{ order: "A1", other: 1 }, /: \/other: This is not an argument of this tool\.$/],
	])("is not called with %j", async (args, message) => {
		let calls = 0;
		const counting = defineTool({ parameters: jsonSchema, run: () => ++calls });
		await expect(call(counting, args)).rejects.toMatchObject({
			code: "arguments_invalid",
			message: expect.stringMatching(message),
		});
		expect(calls).toBe(0);
	});
});

describe("a tool with a Standard Schema", () => {
	const refund = defineTool({ parameters: schema, run: ({ at }) => at.getTime() });

	it("shows its JSON Schema, and is called with what the schema gives", async () => {
		expect((await describeTool(refund)).parameters).toEqual({
			type: "object",
			properties: { at: { type: "string" } },
		});
		expect(await call(refund, { at: "1970-01-01T00:00:01Z" })).toBe(1000);
	});

	it("is not called with what the schema refuses", async () => {
		await expect(call(refund, {})).rejects.toThrow("/at/0: Expected a time.");
	});

	it("needs its JSON Schema, from the schema or beside it", async () => {
		const { validate } = schema["~standard"];
		const withoutDescription = { "~standard": { validate } };
		const make = () => readTools({ refund: defineTool({ parameters: withoutDescription, run: () => "" }) });
		expect(make).toThrow(/schema of the tool "refund" cannot return its JSON Schema/);
		const toolError = defineTool({
			parameters: withoutDescription,
			jsonSchema,
			run: ({ at }) => at.getTime(),
		});
		expect((await describeTool(toolError)).parameters).toEqual(jsonSchema);
		expect(await call(toolError, { at: "1970-01-01T00:00:01Z" })).toBe(1000);
	});

	it("names itself where its types are not those of JSON", () => {
		const input = () => {
			throw new Error("Dates cannot be represented.");
		};
		const dates = { "~standard": { ...schema["~standard"], jsonSchema: { input } } };
		const make = () => readTools({ refund: defineTool({ parameters: dates, run: () => "" }) });
		expect(make).toThrow(/"refund" has no JSON Schema: Dates cannot be represented/);
	});
});

it("takes no arguments where it has no parameters, and gives null for nothing", async () => {
	const ping = defineTool({ run() {} });
	expect(await call(ping, {})).toBe(null);
	await expect(call(ping, { order: "A1" })).rejects.toMatchObject({ code: "arguments_invalid" });
});

it("refuses parameters that are not those of an object", () => {
	const make = () => readTools({ refund: { parameters: { type: "string" }, run: () => "" } });
	expect(make).toThrow(/parameters of the tool "refund" are not those of an object/);
});

it.each<[string, unknown]>([
	["nothing", undefined],
	["an object without `run`", {}],
	["a function alone", () => "paid"],
])("refuses %s for a tool", (_, tool) => {
	expect(() => readTools({ refund: tool as LocalTool })).toThrow(/^The tool "refund" has no function `run`/);
});

const itself: Record<string, unknown> = { type: "object" };
itself.properties = { itself };
const properties = (x: unknown) => ({ type: "object", properties: { x } });

it.each<[string, unknown, string | RegExp]>([
	["a cycle", itself, /are not JSON at `properties\.itself`: The value contains itself/],
	["a BigInt", properties({ const: 1n }), /are not JSON at `properties\.x\.const`/],
	["null", null, /are not those of an object/],
	[
		"a wrong type",
		properties({ type: "strnig" }),
		'`properties.x.type` is "strnig", which is not a type of JSON Schema; did you mean "string"?',
	],
	[
		"a broken pattern",
		properties({ pattern: "[" }),
		/`properties\.x\.pattern` has "\[", which is not a regular expression/,
	],
	[
		"a broken pattern of names",
		{ type: "object", patternProperties: { "[": true } },
		/patternProperties` has "\["/,
	],
	["a dead reference", properties({ $ref: "#/$defs/y" }), /the `\$ref` "#\/\$defs\/y" is not defined in it/],
	["a reference to elsewhere", properties({ $ref: "https://x.test/y.json" }), /is not defined in it/],
	["a reference in a circle", { type: "object", $ref: "#" }, /its references may go in a circle/],
	[
		"`required` beside a type",
		properties({ type: "string", required: true }),
		/`properties\.x\.required` has to be a list of names/,
	],
	[
		"a list of properties",
		{ type: "object", properties: ["x"] },
		/`properties` has to be an object with a schema for each name/,
	],
	["a word for a schema", properties({ items: "string" }), /`properties\.x\.items` is not a schema/],
	[
		"a text for a number",
		properties({ anyOf: [{ maximum: "5" }] }),
		/`properties\.x\.anyOf\[0\]\.maximum` has to be a number/,
	],
])("refuses a schema that cannot be used, naming the tool: %s", (_, parameters, message) => {
	const make = () => readTools({ refund: { parameters, run: () => "" } as LocalTool });
	expect(make).toThrow(
		expect.objectContaining({
			name: "ConfigurationError",
			message: expect.stringContaining('tool "refund"'),
		}),
	);
	expect(make).toThrow(message);
});

it("takes schemas with every keyword, also those that it does not know", () => {
	const parameters = {
		type: "object",
		$defs: { line: { type: ["integer", "null"], exclusiveMinimum: 0, "x-note": { type: "textarea" } } },
		properties: {
			lines: { type: "array", items: { $ref: "#/$defs/line" }, prefixItems: [true] },
			type: { enum: ["a"] },
		},
		patternProperties: { "^x-": { $ref: "#" } },
		dependentSchemas: { lines: { required: ["type"] } },
		if: { required: ["lines"] },
		// biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
		then: { minProperties: 2 },
		additionalProperties: false,
		examples: [{ type: "a" }],
	};
	expect(() => readTools({ refund: { parameters, run: () => "" } })).not.toThrow();
});

it("keeps its parameters as they were", async () => {
	const parameters = { type: "object", properties: { order: { type: "string" } } };
	const port = codeTools(readTools({ refund: { parameters, run: () => "paid" } }));
	parameters.properties.order.type = "number";
	expect((await port.describe(reference, { signal })).parameters).toMatchObject({
		properties: { order: { type: "string" } },
	});
	expect(await port.call({ ...reference, runId: "run_1", arguments: { order: "A1" } }, { signal })).toBe(
		"paid",
	);
});

describe("assertToolsRegistered", () => {
	const graph: AgentGraph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "a", kind: "tool", tool: "refund_order" },
			{ id: "b", kind: "tool", tool: "constructor" },
			{ id: "c", kind: "tool", tool: "elsewhere", server: "https://mcp.example" },
		],
	};
	const ping = defineTool({ run() {} });

	it("names every tool that is missing, and what may have been meant", () => {
		expect(() => assertToolsRegistered(graph, readTools({ refund_ordr: ping }))).toThrow(
			'The graph calls tools that are not registered: "refund_order" (the node "a"; did you mean "refund_ordr"?); "constructor" (the node "b").',
		);
	});

	it("is content with those that the graph calls", () => {
		expect(() =>
			assertToolsRegistered(graph, readTools({ refund_order: ping, constructor: ping })),
		).not.toThrow();
	});
});
