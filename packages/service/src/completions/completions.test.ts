import type { ChatReply } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { completionRequest } from "./completion-request";
import { toChatRequest } from "./to-chat-request";
import { toCompletion, toLastChunks } from "./to-completion";

const read = (body: object) => toChatRequest(completionRequest.parse({ model: "default", ...body }));

describe("toChatRequest", () => {
	it("reads a conversation with calls and their answers", () => {
		const request = read({
			messages: [
				{ role: "system", content: "Be brief." },
				{ role: "developer", content: [{ type: "text", text: "In French." }] },
				{ role: "user", content: [{ type: "text", text: "Hi" }] },
				{
					role: "assistant",
					content: null,
					tool_calls: [{ id: "c1", type: "function", function: { name: "faq", arguments: "{}" } }],
				},
				{ role: "tool", tool_call_id: "c1", content: "Five days." },
			],
			tools: [{ type: "function", function: { name: "faq", parameters: { type: "object" } } }],
			max_tokens: 5,
			top_p: 0.5,
			stemma: { run_id: "run_1", node: "desk", depth: 0, mode: "start", tool_kinds: { faq: "knowledge" } },
		});
		expect(request).toEqual({
			system: "Be brief.\n\nIn French.",
			messages: [
				{ role: "user", content: "Hi" },
				{ role: "assistant", content: "", toolCalls: [{ id: "c1", name: "faq", arguments: "{}" }] },
				{ role: "tool", callId: "c1", name: "faq", content: "Five days." },
			],
			tools: [{ name: "faq", parameters: { type: "object" }, kind: "knowledge" }],
			toolChoice: "auto",
			maxOutputTokens: 5,
			settings: { topP: 0.5 },
			origin: { runId: "run_1", node: "desk", depth: 0, mode: "start" },
		});
	});

	it.each([[{ messages: [{ role: "tool", tool_call_id: "c9", content: "" }] }, "messages[0].tool_call_id"]])(
		"refuses %j",
		(body, param) => {
			expect(() => read(body)).toThrow(expect.objectContaining({ param }));
		},
	);
});

it("knows what stands behind a tool, and nothing of tools that objects have by themselves", () => {
	const tools = [{ type: "function", function: { name: "constructor" } }];
	const request = read({ messages: [{ role: "user", content: "" }], tools, stemma: { tool_kinds: {} } });
	expect(request.tools).toEqual([{ name: "constructor", parameters: { type: "object" } }]);
});

describe("an answer in OpenAI's shape", () => {
	const head = { id: "chatcmpl-1", created: 1, model: "m", canSeeReceipt: true };
	const reply: ChatReply = {
		text: "",
		toolCalls: [{ id: "c1", name: "faq", arguments: '{"input":"?"}' }],
		finishReason: "tool_calls",
	};

	it("keeps a reason that only the vendor has", () => {
		const odd = toCompletion(head, { ...reply, finishReason: "other" });
		expect(odd).toMatchObject({ choices: [{ finish_reason: "other" }] });
	});

	it("has calls and no text", () => {
		expect(toCompletion(head, reply)).toMatchObject({
			choices: [
				{
					finish_reason: "tool_calls",
					message: {
						content: null,
						tool_calls: [{ id: "c1", type: "function", function: { name: "faq" } }],
					},
				},
			],
		});
	});

	it("has what the vendor wants back with a call, for those who may know the vendor, and reads it again", () => {
		const providerMetadata = { vendorHost: "models.example", call: { extra_content: { signature: "c2ln" } } };
		const signed = { ...reply, toolCalls: [{ id: "c1", name: "faq", arguments: "{}", providerMetadata }] };
		const tool_calls = [{ id: "c1", extra_content: { stemma: providerMetadata } }];
		expect(toCompletion(head, signed)).toMatchObject({ choices: [{ message: { tool_calls } }] });
		expect(toLastChunks(head, signed, false)).toMatchObject([{ choices: [{ delta: { tool_calls } }] }, {}]);
		expect(JSON.stringify(toCompletion({ ...head, canSeeReceipt: false }, signed))).not.toContain(
			"models.example",
		);
		const assistant = (toCompletion(head, signed) as { choices: [{ message: object }] }).choices[0].message;
		const { messages } = read({ messages: [{ role: "user", content: "?" }, assistant] });
		expect(messages[1]).toMatchObject({ toolCalls: signed.toolCalls });
	});

	it("has what the model thought, for those who may see more than the answer", () => {
		const thought = { ...reply, reasoning: "Hm." };
		expect(toCompletion(head, thought)).toMatchObject({
			choices: [{ message: { reasoning_content: "Hm." } }],
		});
		expect(JSON.stringify(toCompletion({ ...head, canSeeReceipt: false }, thought))).not.toContain("Hm.");
	});

	it("has a function's call for those who offered functions", () => {
		const legacy = { ...head, isLegacy: true };
		const function_call = { name: "faq", arguments: '{"input":"?"}' };
		expect(toCompletion(legacy, reply)).toMatchObject({
			choices: [{ finish_reason: "function_call", message: { function_call } }],
		});
		expect(toLastChunks(legacy, reply, false)).toMatchObject([
			{ choices: [{ delta: { function_call } }] },
			{ choices: [{ finish_reason: "function_call" }] },
		]);
		expect(JSON.stringify(toCompletion(legacy, reply))).not.toContain("tool_calls");
	});

	it("ends with the usage in a chunk without choices, where it was asked for", () => {
		expect(toLastChunks(head, reply, true).at(-1)).toMatchObject({ choices: [], stemma: { receipt: [] } });
		expect(toLastChunks(head, reply, false).at(-1)).toMatchObject({
			choices: [{ finish_reason: "tool_calls" }],
			stemma: { receipt: [] },
		});
	});
});
