import type { AgentGraph, JsonObject } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { codeTools, demandTools } from "./code-tools";
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
	codeTools({ refund: tool }).call({ ...reference, runId: "run_1", arguments: args }, { signal });

const describeTool = (tool: LocalTool) => codeTools({ refund: tool }).describe(reference, { signal });

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
		[{ order: "A1", other: 1 }, /other/],
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
		const mute = { "~standard": { validate } };
		const make = () => codeTools({ refund: defineTool({ parameters: mute, run: () => "" }) });
		expect(make).toThrow(/schema of the tool "refund" cannot tell its JSON Schema/);
		const told = defineTool({ parameters: mute, jsonSchema, run: ({ at }) => at.getTime() });
		expect((await describeTool(told)).parameters).toEqual(jsonSchema);
		expect(await call(told, { at: "1970-01-01T00:00:01Z" })).toBe(1000);
	});

	it("names itself where its types are not those of JSON", () => {
		const input = () => {
			throw new Error("Dates cannot be represented.");
		};
		const dates = { "~standard": { ...schema["~standard"], jsonSchema: { input } } };
		const make = () => codeTools({ refund: defineTool({ parameters: dates, run: () => "" }) });
		expect(make).toThrow(/"refund" has no JSON Schema: Dates cannot be represented/);
	});
});

it("takes no arguments where it has no parameters, and gives null for nothing", async () => {
	const ping = defineTool({ run() {} });
	expect(await call(ping, {})).toBe(null);
	await expect(call(ping, { order: "A1" })).rejects.toMatchObject({ code: "arguments_invalid" });
});

it("refuses parameters that are not those of an object", () => {
	const make = () => codeTools({ refund: { parameters: { type: "string" }, run: () => "" } });
	expect(make).toThrow(/parameters of the tool "refund" are not those of an object/);
});

describe("demandTools", () => {
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
		expect(() => demandTools(graph, { refund_ordr: ping })).toThrow(
			'The graph calls tools that are not registered: "refund_order" (the node "a"; did you mean "refund_ordr"?); "constructor" (the node "b").',
		);
	});

	it("is content with those that the graph calls", () => {
		expect(() => demandTools(graph, { refund_order: ping, constructor: ping })).not.toThrow();
	});
});
