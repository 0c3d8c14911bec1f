import { expect, it } from "vitest";
import { completionRequest } from "./completion-request";
import { toChatRequest } from "./to-chat-request";

const messages = [{ role: "user", content: "Hello?" }];
const tools = [{ type: "function", function: { name: "faq", strict: true } }];
const offered = [{ name: "faq", strict: true, parameters: { type: "object" } }];
const read = (body: object) =>
	toChatRequest(completionRequest.parse({ model: "default", messages, ...body }));

it("keeps every setting", () => {
	const body = {
		temperature: 0.1,
		top_p: 0.5,
		seed: 7,
		stop: "END",
		frequency_penalty: 0.5,
		presence_penalty: -0.5,
		logit_bias: { 42: -100 },
		reasoning_effort: "low",
		verbosity: "high",
		parallel_tool_calls: false,
		tools,
	};
	expect(read(body)).toEqual({
		messages,
		tools: offered,
		toolChoice: "auto",
		settings: {
			temperature: 0.1,
			topP: 0.5,
			seed: 7,
			stop: ["END"],
			frequencyPenalty: 0.5,
			presencePenalty: -0.5,
			logitBias: { 42: -100 },
			reasoningEffort: "low",
			verbosity: "high",
			parallelToolCalls: false,
		},
	});
});

it("takes the temperature of a graph's node for a wish", () => {
	expect(read({ temperature: 0.1, stemma: { node: "desk" } })).toMatchObject({ temperature: 0.1 });
	expect(read({ temperature: 0.1, stemma: { node: "desk" } })).not.toHaveProperty("settings");
});

it.each([
	[{ temperature: null, top_p: null, seed: null, stop: null, logit_bias: null, verbosity: null }],
	[{ stop: [], frequency_penalty: 0, presence_penalty: 0, logit_bias: {}, parallel_tool_calls: false }],
	[{ n: 1, logprobs: false, top_logprobs: null, modalities: ["text"], functions: [], tools: [] }],
	[{ audio: null, web_search_options: null, moderation: null, function_call: null, tool_choice: "auto" }],
	[{ user: "u", metadata: { a: "b" }, store: true, service_tier: "flex", safety_identifier: "s" }],
	[{ prompt_cache_key: "k", prompt_cache_retention: "24h", prediction: { type: "content", content: "x" } }],
	[
		{
			response_format: { type: "text" },
			stream_options: { include_usage: true, include_obfuscation: false },
		},
	],
])("takes for nothing what changes nothing: %j", (body) => {
	expect(read(body)).toEqual({ messages });
});

it.each([
	["required", "required"],
	["none", "none"],
	[{ type: "function", function: { name: "faq" } }, { name: "faq" }],
])("reads the choice of tools %j", (tool_choice, toolChoice) => {
	expect(read({ tools, tool_choice })).toMatchObject({ toolChoice });
});

it.each([
	[{ type: "json_object" }, { output: {} }],
	[
		{ type: "json_object", schema: { type: "object" } },
		{ output: {}, outputSchema: { type: "object" } },
	],
	[
		{ type: "json_schema", json_schema: { name: "a b", schema: { type: "object" } } },
		{ outputSchema: { type: "object" }, output: {} },
	],
	[
		{ type: "json_schema", json_schema: { name: "a", description: "A.", strict: true, schema: {} } },
		{ outputSchema: {}, output: { name: "a", description: "A.", strict: true } },
	],
])("reads the format %j", (response_format, wanted) => {
	expect(read({ response_format })).toEqual({ messages, ...wanted });
});

it("takes names of models of 256 characters", () => {
	expect(completionRequest.safeParse({ model: "m".repeat(256), messages }).success).toBe(true);
});

it("reads functions, which came before tools, with their calls and results", () => {
	const request = read({
		messages: [
			...messages,
			{ role: "assistant", content: null, function_call: { name: "faq", arguments: "{}" } },
			{ role: "function", name: "faq", content: "Five days." },
		],
		functions: [{ name: "faq", description: "Knows." }],
		function_call: { name: "faq" },
	});
	expect(request).toEqual({
		messages: [
			...messages,
			{ role: "assistant", content: "", toolCalls: [{ id: "call_1", name: "faq", arguments: "{}" }] },
			{ role: "tool", callId: "call_1", name: "faq", content: "Five days." },
		],
		tools: [{ name: "faq", description: "Knows.", parameters: { type: "object" } }],
		toolChoice: { name: "faq" },
		settings: { parallelToolCalls: false },
	});
});

it("keeps who speaks", () => {
	const named = [
		{ role: "user", content: "Hello?", name: "ada" },
		{ role: "assistant", content: "Hi.", name: "desk" },
	];
	expect(read({ messages: named })).toEqual({ messages: named });
	expect(read({ messages: [{ role: "user", content: "Hello?", name: null }] })).toEqual({ messages });
});

it.each([
	[{ n: 2 }, "n"],
	[{ logprobs: true }, "logprobs"],
	[{ top_logprobs: 2 }, "top_logprobs"],
	[{ modalities: ["text", "audio"] }, "modalities"],
	[{ audio: { voice: "alloy" } }, "audio"],
	[{ web_search_options: {} }, "web_search_options"],
	[{ moderation: {} }, "moderation"],
	[{ response_format: { type: "grammar" } }, "response_format"],
	[{ tools, tool_choice: { type: "allowed_tools" } }, "tool_choice"],
	[{ messages: [{ role: "user", content: [{ type: "image_url" }] }] }, "messages[0].content[0]"],
	[{ messages: [{ role: "system", content: "Hi.", name: "example_user" }, ...messages] }, "messages[0].name"],
])("refuses %j, which nobody would be told of", (body, param) => {
	expect(() => read(body)).toThrow(
		expect.objectContaining({ code: "unsupported_parameter", param, hint: expect.any(String) }),
	);
});

it.each([
	[{ tool_choice: "required" }, "tool_choice"],
	[{ tools, tool_choice: { type: "function", function: { name: "other" } } }, "tool_choice"],
	[{ tools, functions: [{ name: "a" }] }, "functions"],
	[{ functions: [{ name: "a" }], tool_choice: "required" }, "tool_choice"],
	[{ function_call: { name: "a" } }, "function_call"],
	[{ tools, function_call: { name: "faq" } }, "function_call"],
	[{ response_format: { type: "json_schema" } }, "response_format.json_schema.schema"],
	[{ messages: [{ role: "function", name: "faq", content: "" }] }, "messages[0].tool_call_id"],
])("refuses %j, which makes no sense", (body, param) => {
	expect(() => read(body)).toThrow(expect.objectContaining({ code: "invalid_request", param }));
});
