import type { ChatRequest } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { type Dialect, type Feature, toTokenLimit } from "./dialect";
import { isStrictSchema } from "./strict-schema";
import { toRequest } from "./to-request";

const without = (...unsupported: Feature[]): Dialect => ({
	tokenLimit: "max_tokens",
	unsupported: new Set(unsupported),
});
const ORIGIN = { baseUrl: "https://models.example/v1", model: "m" };
const SETTINGS = { ...ORIGIN, isStreamed: false, dialect: without() };
const whole = (request: ChatRequest, dialect = without()) => toRequest(request, { ...SETTINGS, dialect });
const messages = [{ role: "user", content: "Hello?" }] as const;
const closed = {
	type: "object",
	properties: { mood: { type: "string" } },
	required: ["mood"],
	additionalProperties: false,
};

describe("a request", () => {
	it("says no more than it must", () => {
		expect(whole({ messages, tools: [], origin: { runId: "run_1", node: "desk", depth: 0 } })).toEqual({
			model: "m",
			messages: [{ role: "user", content: "Hello?" }],
		});
	});

	it("has all that was asked for, and nothing of what is ours alone", () => {
		const request: ChatRequest = {
			system: "Be kind.",
			messages: [
				...messages,
				{ role: "assistant", content: "", toolCalls: [{ id: "1", name: "faq", arguments: '{"input":"a"}' }] },
				{ role: "tool", callId: "1", name: "faq", content: "It failed.", isError: true },
				{ role: "assistant", content: "Sorry.", toolCalls: [] },
			],
			tools: [{ name: "faq", description: "Knows.", parameters: { type: "object" }, kind: "knowledge" }],
			toolChoice: "none",
			outputSchema: closed,
			temperature: 0,
			maxOutputTokens: 10,
			origin: { runId: "run_1", node: "desk", depth: 0 },
		};
		expect(toRequest(request, { ...SETTINGS, isStreamed: true })).toEqual({
			model: "m",
			messages: [
				{ role: "system", content: "Be kind." },
				{ role: "user", content: "Hello?" },
				{
					role: "assistant",
					content: null,
					tool_calls: [{ id: "1", type: "function", function: { name: "faq", arguments: '{"input":"a"}' } }],
				},
				{ role: "tool", tool_call_id: "1", content: "It failed." },
				{ role: "assistant", content: "Sorry." },
			],
			tools: [
				{
					type: "function",
					function: { name: "faq", description: "Knows.", parameters: { type: "object" } },
				},
			],
			tool_choice: "none",
			response_format: { type: "json_schema", json_schema: { name: "output", schema: closed, strict: true } },
			temperature: 0,
			max_tokens: 10,
			stream: true,
			stream_options: { include_usage: true },
		});
	});

	it("says who speaks, where a message has a name", () => {
		const named = [
			{ role: "user", content: "Hello?", name: "ada" },
			{ role: "assistant", content: "Hi.", name: "desk" },
		] as const;
		expect(whole({ messages: named })).toMatchObject({ messages: named });
	});

	it("sends arguments that are no JSON as none", () => {
		const toolCalls = [{ id: "1", name: "faq", arguments: '{"input":' }];
		const body = whole({ messages: [{ role: "assistant", content: "Hm.", toolCalls }] });
		expect(body).toMatchObject({
			messages: [{ content: "Hm.", tool_calls: [{ function: { arguments: "{}" } }] }],
		});
	});

	it("tells the model what the format cannot: an output that is no object", () => {
		const body = whole({ system: "Be kind.", messages, outputSchema: { enum: ["good", "bad"] } });
		expect(body).not.toHaveProperty("response_format");
		expect(body).toMatchObject({
			messages: [
				{ role: "system", content: expect.stringMatching(/^Be kind\.\n\nReply with JSON.*\["good","bad"\]/) },
				{},
			],
		});
	});
});

describe("settings that must be kept", () => {
	const settings = {
		temperature: 1.5,
		topP: 0.5,
		seed: 7,
		stop: ["END"],
		frequencyPenalty: 0.5,
		presencePenalty: -0.5,
		logitBias: { 42: -100 },
		reasoningEffort: "low",
		verbosity: "high",
		parallelToolCalls: false,
	};
	const sent = {
		temperature: 1.5,
		top_p: 0.5,
		seed: 7,
		stop: ["END"],
		frequency_penalty: 0.5,
		presence_penalty: -0.5,
		logit_bias: { 42: -100 },
		reasoning_effort: "low",
		verbosity: "high",
	};

	it("are sent under the vendor's names, whatever was refused before", () => {
		const unsupported = without("temperature");
		expect(whole({ messages, temperature: 0.1, settings }, unsupported)).toEqual({
			model: "m",
			messages,
			...sent,
		});
	});

	it("have one that makes sense with tools alone", () => {
		const tools = [{ name: "faq", parameters: { type: "object" } }];
		expect(whole({ messages, settings, tools })).toMatchObject({ ...sent, parallel_tool_calls: false });
	});
});

describe("a choice of tools", () => {
	const tools = [{ name: "faq", parameters: { type: "object" }, strict: true }];

	it.each([
		["auto", undefined],
		["none", "none"],
		["required", "required"],
		[{ name: "faq" }, { type: "function", function: { name: "faq" } }],
	] as const)("%j is sent as %j", (toolChoice, tool_choice) => {
		const body = whole({ messages, tools, toolChoice });
		expect(body.tool_choice).toEqual(tool_choice);
		expect(body.messages).toEqual(messages);
		expect(body.tools).toMatchObject([{ function: { name: "faq", strict: true } }]);
	});

	it.each([
		["required", "tool_choice required", "at least one"],
		[{ name: "faq" }, "tool_choice named", '"faq"'],
	] as const)("%j is told in words where the endpoint refuses it", (toolChoice, feature, words) => {
		const body = whole({ messages, tools, toolChoice }, without(feature, "strict"));
		expect(body).not.toHaveProperty("tool_choice");
		expect(body.messages).toMatchObject([{ role: "system", content: expect.stringContaining(words) }, {}]);
		expect(JSON.stringify(body.tools)).not.toContain("strict");
	});
});

describe("any JSON object", () => {
	it("is a format of its own, said in words as well where nobody speaks of JSON", () => {
		const body = whole({ messages, output: {} });
		expect(body.response_format).toEqual({ type: "json_object" });
		expect(body.messages).toMatchObject([{ role: "system", content: expect.stringContaining("JSON") }, {}]);
		const systemText = [{ role: "user", content: "Say it in json." }] as const;
		expect(whole({ messages: systemText, output: {} }).messages).toEqual(systemText);
	});

	it("is said in words alone where the endpoint has no such format", () => {
		const body = whole({ messages, output: {} }, without("json_object"));
		expect(body).not.toHaveProperty("response_format");
		expect(body.messages).toMatchObject([{ role: "system" }, {}]);
	});
});

it("tells the name of a schema, what it is for, and whether it is strict", () => {
	const output = { name: "place", description: "A place.", strict: false };
	expect(whole({ messages, outputSchema: closed, output }).response_format).toEqual({
		type: "json_schema",
		json_schema: { ...output, schema: closed },
	});
});

describe("the limit of tokens begins as", () => {
	it.each([
		["max_completion_tokens", "api.openai.com"],
		["max_completion_tokens", "team.openai.azure.com"],
		["max_completion_tokens", "api.groq.com"],
		["max_completion_tokens", "bedrock-runtime.us-east-1.amazonaws.com"],
		["max_completion_tokens", "bedrock-mantle.eu-central-1.api.aws"],
		["max_tokens", "api.openai.com.example.com"],
		["max_tokens", "api.mistral.ai"],
		["max_tokens", "api.deepseek.com"],
		["max_tokens", "api.together.xyz"],
		["max_tokens", "openrouter.ai"],
		["max_tokens", "generativelanguage.googleapis.com"],
		["max_tokens", "127.0.0.1:8080"],
	])("%s at %s", (field, host) => {
		expect(toTokenLimit(host)).toBe(field);
	});
});

describe("an endpoint that refuses", () => {
	const tools = [{ name: "faq", parameters: { type: "object" } }];
	const request: ChatRequest = { messages, tools, toolChoice: "none", temperature: 0, maxOutputTokens: 9 };
	const fields = (unsupported: Feature[], isStreamed = false): string[] =>
		Object.keys(toRequest(request, { ...SETTINGS, isStreamed, dialect: without(...unsupported) }));

	it("fields is asked without them", () => {
		const required = ["model", "messages"];
		expect(fields(["temperature", "tool_choice"], true)).toEqual([
			...required,
			"max_tokens",
			"stream",
			"stream_options",
		]);
		expect(fields(["temperature", "tool_choice", "max_tokens"])).toEqual([
			...required,
			"max_completion_tokens",
		]);
		expect(fields(["temperature", "tool_choice", "max_tokens", "max_completion_tokens"])).toEqual(required);
		expect(fields(["stream"], true)).not.toContain("stream_options");
		expect(fields(["stream_options"], true)).toContain("stream");
	});

	it("tool_choice is still shown no tools, unless there are calls to understand", () => {
		const called = {
			role: "assistant",
			content: "",
			toolCalls: [{ id: "1", name: "faq", arguments: "{}" }],
		} as const;
		const withResults = { role: "tool", callId: "1", name: "faq", content: "x" } as const;
		const conversation = { ...request, messages: [...messages, called, withResults] };
		expect(whole(request, without("tool_choice"))).not.toHaveProperty("tools");
		expect(whole(conversation, without("tool_choice"))).toHaveProperty("tools");
		expect(whole({ messages, tools }, without("tool_choice"))).toHaveProperty("tools");
	});

	it.each([
		[[], { type: "json_schema", json_schema: { name: "output", schema: closed, strict: true } }, false],
		[["strict"], { type: "json_schema", json_schema: { name: "output", schema: closed } }, false],
		[["json_schema"], { type: "json_object" }, true],
		[["json_schema with tools"], { type: "json_schema", json_schema: expect.anything() }, false],
		[["json_schema", "json_object"], undefined, true],
		[["response_format"], undefined, true],
	] as const)(
		"formats, gets the next one, and is told what is missing: %j",
		(unsupported, format, usesInstruction) => {
			const body = whole({ messages, outputSchema: closed }, without(...unsupported));
			expect(body.response_format).toEqual(format);
			expect(JSON.stringify(body.messages).includes("JSON Schema")).toBe(usesInstruction);
		},
	);

	it.each([
		[["json_schema with tools"], "json_object"],
		[["json_schema with tools", "json_object with tools"], undefined],
		[["json_schema", "json_object with tools"], undefined],
		[["response_format with tools"], undefined],
	] as const)("formats beside tools: %j", (unsupported, type) => {
		const { response_format: format } = whole(
			{ messages, tools, outputSchema: closed },
			without(...unsupported),
		);
		expect(format).toEqual(type && { type });
	});
});

describe("strict schemas", () => {
	it.each([
		[closed, true],
		[{ type: "object", properties: {}, required: [], additionalProperties: false }, true],
		[{ ...closed, properties: { mood: { anyOf: [{ type: "null" }, closed] } } }, true],
		[{ ...closed, additionalProperties: true }, false],
		[{ ...closed, required: [] }, false],
		[{ type: "object" }, false],
		[{ ...closed, properties: { mood: { type: "string", format: "date" } } }, false],
		[{ ...closed, properties: { mood: { type: "array", items: { type: "object" } } } }, false],
		[{ ...closed, $defs: { open: { type: "object" } } }, false],
		[{ ...closed, properties: { mood: true } }, false],
		[{ ...closed, properties: { mood: { ...closed, type: ["object", "null"] } } }, true],
		[{ ...closed, properties: { mood: { type: ["object", "null"], properties: {} } } }, false],
		[{ ...closed, properties: { mood: { properties: {} } } }, false],
	])("%j: %s", (schema, isStrict) => {
		expect(isStrictSchema(schema)).toBe(isStrict);
	});
});
