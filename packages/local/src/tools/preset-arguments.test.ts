import type { AgentGraph, JsonObject, JsonSchema } from "@stemma/core";
import type { ToolPort } from "@stemma/engine";
import { expect, it } from "vitest";
import { createLocalAgent, defineTool, type LocalPorts, type LocalTool, type ToolSchema } from "../index";
import { withPresetArgumentValidation } from "./preset-arguments";

const models = { resolve: () => Promise.reject(new Error("not used")) };

function make(
	presetArguments: JsonObject,
	parameters: JsonSchema | LocalTool["parameters"],
	ports: LocalPorts = {},
) {
	const graph: AgentGraph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "refund", kind: "tool", tool: "refund_order", arguments: presetArguments },
		],
		edges: [{ from: "desk", to: "refund" }],
	};
	const tool = defineTool({ ...(parameters === undefined ? {} : { parameters }), run: () => "" });
	const tools = ports.tools === undefined ? { tools: { refund_order: tool } } : {};
	return () => createLocalAgent(graph, { ports: { models, ...ports }, ...tools });
}

const order = { type: "string" };
const account = { type: "string" };
const object = (schema: object) =>
	({ type: "object", properties: { order, account }, ...schema }) as JsonSchema;

/** As a library makes it. */
const library = (schema: JsonSchema): ToolSchema<JsonObject> => ({
	"~standard": {
		validate: (value) => ({ value: value as JsonObject }),
		jsonSchema: { input: () => ({ ...schema }) },
	},
});

it("names every argument that its tool does not have, and what may have been meant", () => {
	expect(make({ acount: "main", language: "en" }, object({}))).toThrow(
		'The graph fixes arguments that do not fit the parameters of its tools: there is no "acount" (the node "refund", the tool "refund_order"; did you mean "account"?); there is no "language" (the node "refund", the tool "refund_order").',
	);
});

it.each<[string, JsonObject, LocalTool["parameters"], RegExp]>([
	["to a tool without any", { account: "main" }, undefined, /there is no "account"/],
	[
		"of a closed schema",
		{ other: 1 },
		{ type: "object", additionalProperties: false },
		/there is no "other"/,
	],
	["of a schema of a library", { acount: "x" }, library(object({})), /did you mean "account"/],
	[
		"of the wrong type",
		{ account: 7 },
		object({}),
		/\/account: Instance type "number" is invalid.*\(the node "refund"/,
	],
	["of the wrong type, for a library", { account: 7 }, library(object({})), /\/account: /],
	[
		"that a definition forbids",
		{ line: 0 },
		object({ properties: { line: { $ref: "#/$defs/line" } }, $defs: { line: { minimum: 1 } } }),
		/\/line: 0 is less than 1/,
	],
	[
		"that a part forbids",
		{ account: 7 },
		object({ allOf: [{ properties: { account } }], properties: {} }),
		/\/account: Instance type/,
	],
	[
		"behind a reference",
		{ account: "main" },
		object({ $ref: "#/$defs/all", $defs: { all: { properties: { account } } } }),
		/write it out in its place/,
	],
])("refuses what is fixed %s", (_, presetArguments, parameters, message) => {
	const error = { name: "ConfigurationError", code: "preset_arguments_invalid" };
	expect(make(presetArguments, parameters)).toThrow(expect.objectContaining(error));
	expect(make(presetArguments, parameters)).toThrow(message);
});

it.each<[string, JsonObject, LocalTool["parameters"]]>([
	[
		"of its properties",
		{ account: "main" },
		object({ required: ["order", "account"], additionalProperties: false }),
	],
	["of a part", { account: "main" }, { type: "object", allOf: [{ anyOf: [{ properties: { account } }] }] }],
	[
		"of a condition",
		{ account: "main" },
		object({ properties: { order }, if: { required: ["order"] }, else: { properties: { account } } }),
	],
	["of a pattern", { "x-note": "main" }, object({ patternProperties: { "^x-": true } })],
	["of a pattern of old syntax", { "a-b": "main" }, object({ patternProperties: { "^[\\w-.]+$": true } })],
	["where any may be", { other: 1 }, object({ additionalProperties: true })],
	["where none are named", { other: 1 }, { type: "object" }],
	["of a loose object of a library", { other: 1 }, library(object({ additionalProperties: {} }))],
	[
		"beside others that only together fit",
		{ account: "main" },
		object({ required: ["order"], minProperties: 2 }),
	],
])("takes what is fixed %s", (_, presetArguments, parameters) => {
	expect(make(presetArguments, parameters)).not.toThrow();
});

it("leaves them to a port that calls tools itself", () => {
	const tools = { describe: () => Promise.reject(new Error()), call: () => Promise.reject(new Error()) };
	expect(make({ acount: "main" }, undefined, { tools })).not.toThrow();
});

it.each<[string, JsonSchema, string]>([
	[
		"each of them once",
		object({ required: ["order"], additionalProperties: false }),
		'Look at the tool\'s own arguments: "order", "account".',
	],
	[
		"no more than one can read",
		object({
			properties: Object.fromEntries(Array.from({ length: 23 }, (_, index) => [`a${index}`, {}])),
		}),
		"… and 3 more.",
	],
	[
		"none where it has none",
		{ type: "object", additionalProperties: false },
		"Take them out of `arguments` of the node: the tool declares no arguments.",
	],
])("names the arguments of a server's tool: %s", async (_, schema, hint) => {
	const port: ToolPort = { describe: async () => ({ parameters: schema }), call: async () => null };
	const far = { tool: "far", server: "https://mcp.example" };
	const graph: AgentGraph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "far", kind: "tool", ...far, arguments: { unknown: 1 } },
		],
	};
	const described = withPresetArgumentValidation(graph, port).describe(
		{ node: "far", ...far },
		{ signal: new AbortController().signal },
	);
	await expect(described).rejects.toMatchObject({
		code: "preset_arguments_invalid",
		hint: hint.startsWith("…") ? expect.stringContaining(hint.slice(1)) : hint,
	});
});

it("runs no pattern of somebody else's schema", async () => {
	const schema = { type: "object", properties: { a: {} }, patternProperties: { "^(a+)+$": {} } };
	const name = `${"a".repeat(40)}!`;
	const port: ToolPort = {
		describe: async () => ({ parameters: schema }),
		call: async () => null,
	};
	const graph: AgentGraph = {
		nodes: [
			{ id: "desk", kind: "coordinator" },
			{ id: "far", kind: "tool", tool: "far", server: "https://mcp.example", arguments: { [name]: 1 } },
		],
	};
	const reference = { node: "far", tool: "far", server: "https://mcp.example" };
	const described = withPresetArgumentValidation(graph, port).describe(reference, {
		signal: new AbortController().signal,
	});
	expect((await described).parameters).toBe(schema);
});
