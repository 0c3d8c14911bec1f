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
			origin: { runId: "run_1", node: "desk", depth: 0, mode: "start" },
		});
	});

	it.each([
		[{ messages: [{ role: "tool", tool_call_id: "c9", content: "" }] }, "messages[0].tool_call_id"],
		[
			{
				messages: [{ role: "user", content: "" }],
				tools: [{ type: "function", function: { name: "a" } }],
				tool_choice: { type: "function" },
			},
			"tool_choice",
		],
		[
			{ messages: [{ role: "user", content: "" }], response_format: { type: "json_object" } },
			"response_format",
		],
		[{ messages: [{ role: "user", content: [{ type: "image_url" }] }] }, "messages[0].content[0]"],
		[{ messages: [{ role: "user", content: "" }], n: 2 }, "n"],
		[{ messages: [{ role: "user", content: "" }], stop: ["\n"] }, "stop"],
		[{ messages: [{ role: "user", content: "" }], functions: [{ name: "a" }] }, "functions"],
		[{ messages: [{ role: "user", content: "" }], function_call: "auto" }, "function_call"],
		[{ messages: [{ role: "user", content: "" }], parallel_tool_calls: false }, "parallel_tool_calls"],
		[{ messages: [{ role: "user", content: "" }], logprobs: true }, "logprobs"],
		[{ messages: [{ role: "user", content: "" }], modalities: ["text", "audio"] }, "modalities"],
	])("refuses %j", (body, param) => {
		expect(() => read(body)).toThrow(expect.objectContaining({ param }));
	});
});

it("takes what says nothing", () => {
	const nothing = {
		stop: null,
		functions: [],
		logprobs: false,
		modalities: ["text"],
		parallel_tool_calls: true,
	};
	const tools = [{ type: "function", function: { name: "constructor" } }];
	const request = read({
		messages: [{ role: "user", content: "" }],
		...nothing,
		tools,
		stemma: { tool_kinds: {} },
	});
	expect(request.tools).toEqual([{ name: "constructor", parameters: { type: "object" } }]);
});

describe("an answer in OpenAI's shape", () => {
	const head = { id: "chatcmpl-1", created: 1, model: "m", showsReceipt: true };
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
		const vendorData = { vendorHost: "models.example", call: { extra_content: { signature: "c2ln" } } };
		const signed = { ...reply, toolCalls: [{ id: "c1", name: "faq", arguments: "{}", vendorData }] };
		const tool_calls = [{ id: "c1", extra_content: { stemma: vendorData } }];
		expect(toCompletion(head, signed)).toMatchObject({ choices: [{ message: { tool_calls } }] });
		expect(toLastChunks(head, signed, false)).toMatchObject([{ choices: [{ delta: { tool_calls } }] }, {}]);
		expect(JSON.stringify(toCompletion({ ...head, showsReceipt: false }, signed))).not.toContain(
			"models.example",
		);
		const assistant = (toCompletion(head, signed) as { choices: [{ message: object }] }).choices[0].message;
		const { messages } = read({ messages: [{ role: "user", content: "?" }, assistant] });
		expect(messages[1]).toMatchObject({ toolCalls: signed.toolCalls });
	});

	it("ends with the usage in a chunk without choices, where it was asked for", () => {
		expect(toLastChunks(head, reply, true).at(-1)).toMatchObject({ choices: [], stemma: { receipt: [] } });
		expect(toLastChunks(head, reply, false).at(-1)).toMatchObject({
			choices: [{ finish_reason: "tool_calls" }],
			stemma: { receipt: [] },
		});
	});
});
