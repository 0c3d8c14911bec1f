import type { ChatMessage, ChatRequest, JsonObject, JsonSchema } from "@stemma/core";
import { describe, expect, it } from "vitest";
import type { Dialect } from "./dialect";
import { toRequest } from "./to-request";

const user = (content: string): ChatMessage => ({ role: "user", content });
const assistant = (
	content: string,
	...calls: readonly (readonly [id: string, name: string, text: string])[]
): ChatMessage => ({
	role: "assistant",
	content,
	toolCalls: calls.map(([id, name, text]) => ({ id, name, arguments: text })),
});
const tool = (callId: string, content: string, isError = false): ChatMessage => ({
	role: "tool",
	callId,
	name: "faq",
	content,
	isError,
});
const FULL_DIALECT: Dialect = new Set();
const bodyOf = (request: ChatRequest) => toRequest(request, FULL_DIALECT).body;
const FAQ = { name: "faq", description: "Answers.", parameters: { type: "object", properties: {} } };

it("says no more than there is to say", () => {
	expect(bodyOf({ messages: [user("Hi")] })).toEqual({
		messages: [{ role: "user", content: [{ text: "Hi" }] }],
	});
});

it("says all that there is", () => {
	const request = {
		messages: [user("Hi")],
		system: "Be kind.",
		temperature: 0,
		maxOutputTokens: 9,
		tools: [FAQ],
	};
	expect(bodyOf(request)).toEqual({
		messages: [{ role: "user", content: [{ text: "Hi" }] }],
		system: [{ text: "Be kind." }],
		inferenceConfig: { maxTokens: 9, temperature: 0 },
		toolConfig: {
			tools: [
				{
					toolSpec: {
						name: "faq",
						description: "Answers.",
						inputSchema: { json: { type: "object", properties: {} } },
					},
				},
			],
		},
	});
	expect(bodyOf({ ...request, system: " " })).not.toHaveProperty("system");
	expect(bodyOf({ ...request, temperature: 2 })).toMatchObject({ inferenceConfig: { temperature: 1 } });
});

it("has fields for three settings, which it changes not", () => {
	const settings = { temperature: 1, topP: 0.5, stop: ["END"], parallelToolCalls: true };
	const dialect: Dialect = new Set(["inferenceConfig.temperature"]);
	expect(
		toRequest({ messages: [user("Hi")], temperature: 0, settings }, dialect).body.inferenceConfig,
	).toEqual({
		temperature: 1,
		topP: 0.5,
		stopSequences: ["END"],
	});
});

describe("a choice of tools", () => {
	const tools = [{ ...FAQ, name: "f.a.q", strict: true }];
	const messages = [user("Hi")];

	it.each([
		["required", { any: {} }],
		[{ name: "f.a.q" }, { tool: { name: "f_a_q" } }],
	] as const)("%j is sent as %j", (toolChoice, sent) => {
		const body = bodyOf({ messages, tools, toolChoice });
		expect(body).toMatchObject({ toolConfig: { toolChoice: sent, tools: [{ toolSpec: { strict: true } }] } });
		expect(body).not.toHaveProperty("system");
	});

	it("is told in words where the model has none", () => {
		const dialect: Dialect = new Set(["toolConfig.toolChoice", "toolSpec.strict"]);
		const { body } = toRequest({ messages, tools, toolChoice: "required" }, dialect);
		expect(JSON.stringify(body.toolConfig)).not.toMatch(/toolChoice|strict/);
		expect(body.system).toEqual([{ text: expect.stringContaining("at least one") }]);
	});
});

it("says in words that any JSON object is wanted", () => {
	expect(bodyOf({ messages: [user("Hi")], output: {} })).toEqual({
		messages: [{ role: "user", content: [{ text: "Hi" }] }],
		system: [{ text: expect.stringContaining("JSON object") }],
	});
});

describe("the conversation", () => {
	const turnsOf = (...messages: ChatMessage[]) => bodyOf({ messages }).messages;

	it("has turns of one side each, with the answers to calls in one of the user's", () => {
		const turns = turnsOf(
			user("a"),
			user("b"),
			assistant("Let me look.\n", ["1", "faq", '{"q":1}'], ["2", "faq", "{"], ["3", "faq", "[1]"]),
			tool("1", "12 euro"),
			tool("2", "", true),
			tool("3", "No.", true),
			user("c"),
			assistant(" "),
			user("d"),
		);
		expect(turns).toEqual([
			{ role: "user", content: [{ text: "a" }, { text: "b" }] },
			{
				role: "assistant",
				content: [
					{ text: "Let me look." },
					{ toolUse: { toolUseId: "1", name: "faq", input: { q: 1 } } },
					{ toolUse: { toolUseId: "2", name: "faq", input: {} } },
					{ toolUse: { toolUseId: "3", name: "faq", input: {} } },
				],
			},
			{
				role: "user",
				content: [
					{ toolResult: { toolUseId: "1", content: [{ text: "12 euro" }] } },
					{ toolResult: { toolUseId: "2", content: [{ text: "(empty)" }], status: "error" } },
					{ toolResult: { toolUseId: "3", content: [{ text: "No." }], status: "error" } },
					{ text: "c" },
					{ text: "d" },
				],
			},
		]);
	});

	it("begins with the user, and no turn is empty", () => {
		const empty = { role: "user", content: [{ text: "(empty)" }] };
		expect(turnsOf()).toEqual([empty]);
		expect(turnsOf(user(" \n"))).toEqual([empty]);
		expect(turnsOf(assistant("Hello."), user(""))).toEqual([
			empty,
			{ role: "assistant", content: [{ text: "Hello." }] },
			empty,
		]);
		expect(turnsOf(user(""), user("a"))).toEqual([{ role: "user", content: [{ text: "a" }] }]);
	});

	it("leaves the caller's messages as they are", () => {
		const messages = [user("a"), user("b")].map((message) => Object.freeze(message));
		turnsOf(...Object.freeze(messages));
		expect(messages).toEqual([user("a"), user("b")]);
	});
});

describe("tools", () => {
	const history = [user("a"), assistant("", ["1", "faq", "{}"]), tool("1", "12 euro")];

	it("that are offered no more are named, for the vendor wants them; none may be called", () => {
		const body = bodyOf({ messages: history });
		expect(body.toolConfig).toEqual({
			tools: [{ toolSpec: { name: "faq", inputSchema: { json: { type: "object" } } } }],
		});
		expect(body.system).toEqual([{ text: expect.stringContaining("Call no tool") }]);
	});

	it("may be called unless they may not", () => {
		const request = { messages: history, tools: [FAQ] };
		expect(bodyOf({ ...request, toolChoice: "none" })).toMatchObject({
			toolConfig: { tools: [{ toolSpec: { name: "faq" } }] },
			system: [{ text: expect.stringContaining("Call no tool") }],
		});
		expect(bodyOf(request)).not.toHaveProperty("system");
	});

	it("have names that the vendor takes, and their own again when called", () => {
		const names = [
			"faq",
			"fees & fines",
			"fees+fines",
			"fees_fines",
			"ü".repeat(3),
			"",
			"x".repeat(70),
			"x".repeat(71),
		];
		const tools = names.map((name) => ({ name, parameters: {} }));
		const messages = [user("a"), assistant("", ["call 1", "fees+fines", "{}"]), tool("call 1", "12")];
		const request = toRequest({ messages, tools }, FULL_DIALECT);
		const sent = (request.body.toolConfig as { tools: { toolSpec: { name: string } }[] }).tools;
		const aliases = sent.map(({ toolSpec }) => toolSpec.name);
		expect(new Set(aliases).size).toBe(names.length);
		for (const alias of aliases) expect(alias).toMatch(/^[\w-]{1,64}$/);
		expect(aliases).toContain("fees_fines");
		expect(aliases.map(request.names.toName)).toEqual(names);
		expect(request.body.messages).toMatchObject([
			{},
			{ content: [{ toolUse: { toolUseId: "call_1", name: request.names.toAlias("fees+fines") } }] },
			{ content: [{ toolResult: { toolUseId: "call_1" } }] },
		]);
	});
});

describe("an output schema", () => {
	const closed = (properties: JsonObject) => ({ type: "object", properties, additionalProperties: false });
	const ask = (outputSchema: JsonSchema) => bodyOf({ messages: [user("a")], outputSchema });

	it.each([
		closed({ a: { type: "string" } }),
		{ $schema: "https://json-schema.org/draft/2020-12/schema", ...closed({ a: { enum: ["b"] } }) },
		closed({ a: { type: "array", items: closed({ b: { anyOf: [{ type: "null" }, { const: 1 }] } }) } }),
	])("holds the model where it is closed: %j", (schema) => {
		expect(ask(schema)).toMatchObject({
			system: [{ text: expect.stringContaining(JSON.stringify(schema)) }],
			outputConfig: {
				textFormat: {
					type: "json_schema",
					structure: { jsonSchema: { schema: JSON.stringify(schema) } },
				},
			},
		});
	});

	it.each([
		{ type: "object" },
		{ type: "object", properties: { a: { type: "string" } } },
		{ type: "array", items: { type: "string" } },
		closed({ a: { type: "number", minimum: 1 } }),
		closed({ a: { type: "object", properties: {} } }),
		closed({ a: { $ref: "#" } }),
		closed({ a: { type: "array", items: { type: "object" } } }),
		closed({ a: { anyOf: [{ type: "object" }] } }),
	])("is told the model in words where it is not: %j", (schema) => {
		expect(ask(schema)).not.toHaveProperty("outputConfig");
		expect(ask(schema).system).toEqual([{ text: expect.stringContaining(JSON.stringify(schema)) }]);
	});
});
