import type { ChatRequest } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { toCallOptions } from "./to-call-options";
import { createTurnCache } from "./turn-cache";

const { signal } = new AbortController();
const ASK: ChatRequest = { messages: [{ role: "user", content: "Cost?" }] };
const toOptions = (request: ChatRequest, ignoresSchemas = false, turns = createTurnCache()) =>
	toCallOptions(request, { turns, ignoresSchemas, signal });

it("says no more than was asked for", () => {
	expect(toOptions(ASK)).toEqual({
		prompt: [{ role: "user", content: [{ type: "text", text: "Cost?" }] }],
		abortSignal: signal,
	});
	expect(toOptions({ ...ASK, tools: [], toolChoice: "none" })).not.toHaveProperty("toolChoice");
});

it("hands on settings and tools", () => {
	const tools = [{ name: "faq", description: "Answers.", parameters: { type: "object" } }] as const;
	const options = toOptions({
		...ASK,
		system: "Be kind.",
		tools,
		toolChoice: "none",
		temperature: 0,
		maxOutputTokens: 9,
	});
	expect(options).toMatchObject({
		prompt: [{ role: "system", content: "Be kind." }, { role: "user" }],
		tools: [{ type: "function", name: "faq", description: "Answers.", inputSchema: { type: "object" } }],
		toolChoice: { type: "none" },
		temperature: 0,
		maxOutputTokens: 9,
	});
	expect(toOptions({ ...ASK, tools, toolChoice: "auto" })).not.toHaveProperty("toolChoice");
});

describe("a schema goes", () => {
	const schema = { type: "object", properties: {} } as const;
	const format = { type: "json", name: "output", schema };

	it("as it is where it is of an object", () => {
		const { responseFormat, prompt } = toOptions({ ...ASK, outputSchema: schema });
		expect([responseFormat, prompt.length]).toEqual([format, 1]);
	});

	it("in words too where the model ignores it", () => {
		const { responseFormat, prompt } = toOptions({ ...ASK, system: "Be kind.", outputSchema: schema }, true);
		const content = `Be kind.\n\nReply with JSON alone that fits this JSON Schema: ${JSON.stringify(schema)}`;
		expect([responseFormat, prompt[0]]).toEqual([format, { role: "system", content }]);
	});

	it("in words alone where it is of something else", () => {
		const { responseFormat, prompt } = toOptions({ ...ASK, outputSchema: { type: "array" } });
		expect(responseFormat).toBeUndefined();
		expect(prompt[0]).toMatchObject({ content: expect.stringContaining('{"type":"array"}') });
	});
});

describe("a turn with calls", () => {
	const toolCalls = [
		{ id: "a", name: "faq", arguments: '{"input":"x"}' },
		{ id: "b", name: "fees", arguments: "[1" },
		{ id: "c", name: "fees", arguments: "[1]" },
	];
	const answers = [
		{ role: "tool", callId: "a", name: "faq", content: "12 euro" },
		{ role: "tool", callId: "b", name: "fees", content: "No JSON.", isError: true },
		{ role: "tool", callId: "c", name: "fees", content: "No object.", isError: true },
	] as const;
	const turn = { role: "assistant", content: "", toolCalls } as const;
	const result = (toolCallId: string, toolName: string, type: string, value: string) => ({
		type: "tool-result",
		toolCallId,
		toolName,
		output: { type, value },
	});
	const RESULTS = [
		result("a", "faq", "text", "12 euro"),
		result("b", "fees", "error-text", "No JSON."),
		result("c", "fees", "error-text", "No object."),
	];

	it("has all answers in one message, and objects alone as input", () => {
		const { prompt } = toOptions({ messages: [...ASK.messages, turn, ...answers, turn, ...answers] });
		const call = (toolCallId: string, toolName: string, input: object) => ({
			type: "tool-call",
			toolCallId,
			toolName,
			input,
		});
		const calls = [call("a", "faq", { input: "x" }), call("b", "fees", {}), call("c", "fees", {})];
		expect(prompt.slice(1)).toEqual([
			{ role: "assistant", content: calls },
			{ role: "tool", content: RESULTS },
			{ role: "assistant", content: calls },
			{ role: "tool", content: RESULTS },
		]);
	});

	it("leaves the messages as they are", () => {
		const messages = Object.freeze([turn, ...answers].map((message) => Object.freeze(message)));
		expect(toOptions({ messages })).toEqual(toOptions({ messages }));
	});
});

describe("a turn that the model has given itself", () => {
	const acme = { acme: { signature: "s" } };
	const content = [
		{ type: "reasoning", text: "", providerMetadata: acme },
		{ type: "reasoning", text: "" },
		{ type: "text", text: "Let me look." },
		{ type: "tool-call", toolCallId: "w", toolName: "web", input: '{"q":1}', providerExecuted: true },
		{ type: "tool-result", toolCallId: "w", toolName: "web", result: [1], providerMetadata: acme },
		{ type: "tool-result", toolCallId: "w", toolName: "web", result: "no", isError: true },
		{ type: "tool-call", toolCallId: "a", toolName: "faq", input: "{", providerMetadata: acme },
		{ type: "source", id: "s" },
	];
	const toolCalls = [{ id: "a", name: "faq", arguments: "{" }];
	const reply = { text: "Let me look.", toolCalls, finishReason: "tool_calls" } as const;
	const turns = createTurnCache();
	turns.set(reply, content);
	const turn = { role: "assistant", content: reply.text, toolCalls } as const;
	const promptOf = (message: ChatRequest["messages"][number]) =>
		toOptions({ messages: [message] }, false, turns).prompt[0];
	const PLAIN = {
		role: "assistant",
		content: [
			{ type: "text", text: "Let me look." },
			{ type: "tool-call", toolCallId: "a", toolName: "faq", input: {} },
		],
	};

	it("goes back with all that the vendor wants to see again", () => {
		expect(promptOf(turn)).toEqual({
			role: "assistant",
			content: [
				{ type: "reasoning", text: "", providerOptions: acme },
				{ type: "text", text: "Let me look." },
				{ type: "tool-call", toolCallId: "w", toolName: "web", input: { q: 1 }, providerExecuted: true },
				{
					type: "tool-result",
					toolCallId: "w",
					toolName: "web",
					output: { type: "json", value: [1] },
					providerOptions: acme,
				},
				{
					type: "tool-result",
					toolCallId: "w",
					toolName: "web",
					output: { type: "error-json", value: "no" },
				},
				{ type: "tool-call", toolCallId: "a", toolName: "faq", input: {}, providerOptions: acme },
			],
		});
	});

	const other = { id: "b", name: "faq", arguments: "{}" };
	it.each([
		["other calls", { ...turn, toolCalls: toolCalls.map((call) => ({ ...call })) }],
		["more calls", { ...turn, toolCalls: [...toolCalls, other] }],
		["another text", { ...turn, content: "Let me see." }],
	] as const)("goes as it stands with %s", (_, message) => {
		expect(promptOf(message)).toEqual(toOptions({ messages: [message] }).prompt[0]);
	});

	it("goes as it stands with fewer calls", () => {
		const turns = createTurnCache();
		turns.set({ ...reply, toolCalls: [...toolCalls, other] }, content);
		expect(toOptions({ messages: [turn] }, false, turns).prompt[0]).toEqual(PLAIN);
	});

	it("goes as it stands to another model", () => {
		expect(toOptions({ messages: [turn] }).prompt[0]).toEqual(PLAIN);
	});
});
