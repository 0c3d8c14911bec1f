import { describe, expect, it } from "vitest";
import { responseRequest } from "./response-request";
import { toResponseChatRequest } from "./to-chat-request";

function read(body: object, before: Parameters<typeof toResponseChatRequest>[1] = []) {
	const request = responseRequest.parse({ model: "default", ...body });
	const own = typeof request.input === "string" ? [] : request.input;
	return toResponseChatRequest(request, [...before, ...own], own.length);
}

const call = { type: "function_call", call_id: "c1", name: "clock", arguments: "{}" } as const;
const message = { role: "user", content: "What time is it?" };

describe("a request for a response", () => {
	it("is read as a conversation with calls and their outputs", () => {
		const request = read({
			instructions: "Be brief.",
			input: [
				{ role: "system", content: "In French." },
				{ type: "message", role: "user", content: [{ type: "input_text", text: "What time is it?" }] },
				{ type: "reasoning", id: "rs_1", summary: [] },
				{ role: "assistant", content: [{ type: "output_text", text: "Let me see.", annotations: [] }] },
				call,
				{ ...call, call_id: "c2" },
				{ type: "function_call_output", call_id: "c1", output: "Noon." },
				{ type: "function_call_output", call_id: "c2", output: [{ type: "input_text", text: "One." }] },
			],
			tools: [{ type: "function", name: "clock", parameters: { type: "object" }, strict: true }],
			tool_choice: { type: "function", name: "clock" },
			text: { format: { type: "json_schema", name: "time", schema: { type: "object" } }, verbosity: "low" },
			reasoning: { effort: "high", summary: "auto" },
			temperature: 0,
			max_output_tokens: 20,
			parallel_tool_calls: false,
			metadata: { page: "1" },
			truncation: "disabled",
			include: ["reasoning.encrypted_content"],
		});
		expect(request).toEqual({
			system: "Be brief.\n\nIn French.",
			messages: [
				{ role: "user", content: "What time is it?" },
				{
					role: "assistant",
					content: "Let me see.",
					toolCalls: [
						{ id: "c1", name: "clock", arguments: "{}" },
						{ id: "c2", name: "clock", arguments: "{}" },
					],
				},
				{ role: "tool", callId: "c1", name: "clock", content: "Noon." },
				{ role: "tool", callId: "c2", name: "clock", content: "One." },
			],
			tools: [{ name: "clock", parameters: { type: "object" }, strict: true }],
			toolChoice: { name: "clock" },
			outputSchema: { type: "object" },
			output: { name: "time" },
			maxOutputTokens: 20,
			settings: { temperature: 0, reasoningEffort: "high", verbosity: "low", parallelToolCalls: false },
		});
	});

	it.each([
		[
			{ input: [{ role: "user", content: [{ type: "input_image", image_url: "data:," }] }] },
			"input[0].content[0]",
		],
		[{ input: [message, { type: "function_call_output", call_id: "c9", output: "" }] }, "input[1].call_id"],
		[{ tools: [{ type: "web_search" }] }, "tools[0]"],
		[{ conversation: "conv_1" }, "conversation"],
		[{ prompt: { id: "pmpt_1" } }, "prompt"],
		[{ truncation: "auto" }, "truncation"],
		[{ max_tool_calls: 3 }, "max_tool_calls"],
		[{ include: ["file_search_call.results"] }, "include"],
		[{ background: true, store: false }, "store"],
		[{ tool_choice: { type: "web_search" } }, "tool_choice"],
	])("is refused with %j", (fields, param) => {
		const tools = [{ type: "function", name: "clock" }];
		expect(() => read({ input: [message], tools, ...fields })).toThrow(expect.objectContaining({ param }));
	});

	it("counts the items of errors from its own first one", () => {
		const input = [{ type: "function_call_output", call_id: "c9", output: "" }];
		expect(() => read({ input }, [call])).toThrow(expect.objectContaining({ param: "input[0].call_id" }));
	});
});
