import { describe, expect, it } from "vitest";
import { messageRequest } from "./message-request";
import { toMessageChatRequest } from "./to-chat-request";

const read = (body: object) =>
	toMessageChatRequest(messageRequest.parse({ model: "default", max_tokens: 100, ...body }));
const user = { role: "user", content: "What time is it?" };
const TOOL = { name: "clock", description: "Tells the time.", input_schema: { type: "object" } };

describe("a request for a message", () => {
	it("is read as a conversation with calls and their results", () => {
		const request = read({
			system: [
				{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
				{ type: "text", text: "In French." },
			],
			messages: [
				{
					role: "user",
					content: [
						{ type: "text", text: "What time" },
						{ type: "text", text: "is it?" },
					],
				},
				{
					role: "assistant",
					content: [
						{ type: "thinking", thinking: "Hm.", signature: "" },
						{ type: "text", text: "Let me see." },
						{ type: "tool_use", id: "c1", name: "clock", input: { zone: "UTC" } },
						{ type: "tool_use", id: "c2", name: "clock", input: {} },
					],
				},
				{
					role: "user",
					content: [
						{ type: "tool_result", tool_use_id: "c1", content: "Noon." },
						{
							type: "tool_result",
							tool_use_id: "c2",
							content: [{ type: "text", text: "No." }],
							is_error: true,
						},
						{ type: "text", text: "Well?" },
					],
				},
			],
			tools: [TOOL],
			tool_choice: { type: "any", disable_parallel_tool_use: true },
			stop_sequences: ["END"],
			temperature: 0.5,
			output_config: { effort: "low" },
			thinking: { type: "disabled" },
			metadata: { user_id: "u" },
		});
		expect(request).toEqual({
			system: "Be brief.\nIn French.",
			messages: [
				{ role: "user", content: "What time\nis it?" },
				{
					role: "assistant",
					content: "Let me see.",
					toolCalls: [
						{ id: "c1", name: "clock", arguments: '{"zone":"UTC"}' },
						{ id: "c2", name: "clock", arguments: "{}" },
					],
				},
				{ role: "tool", callId: "c1", name: "clock", content: "Noon." },
				{ role: "tool", callId: "c2", name: "clock", content: "No.", isError: true },
				{ role: "user", content: "Well?" },
			],
			tools: [{ name: "clock", description: "Tells the time.", parameters: { type: "object" } }],
			toolChoice: "required",
			maxOutputTokens: 100,
			settings: { temperature: 0.5, stop: ["END"], reasoningEffort: "low", parallelToolCalls: false },
		});
	});

	it("may have instructions between its messages, which follow those before them", () => {
		const { system, messages } = read({
			system: "Be brief.",
			messages: [user, { role: "system", content: [{ type: "text", text: "In French." }] }],
		});
		expect(system).toBe("Be brief.\n\nIn French.");
		expect(messages).toEqual([{ role: "user", content: "What time is it?" }]);
	});

	it("may ask for JSON of a schema", () => {
		const format = { type: "json_schema", schema: { type: "object" } };
		expect(read({ messages: [user], output_config: { format } })).toMatchObject({
			outputSchema: { type: "object" },
			output: { strict: true },
		});
	});

	it.each([
		[{ top_k: 5 }, "top_k"],
		[{ thinking: { type: "enabled", budget_tokens: 1024 } }, "thinking"],
		[{ mcp_servers: [{ name: "x" }] }, "mcp_servers"],
		[{ container: "c" }, "container"],
		[{ context_management: { edits: [{ type: "clear_tool_uses_20250919" }] } }, "context_management"],
		[{ tools: [{ type: "web_search_20250305", name: "web_search" }] }, "tools[0]"],
		[{ messages: [user, { role: "assistant", content: "It is" }] }, "messages[1]"],
		[
			{ messages: [{ role: "user", content: [{ type: "tool_result", tool_use_id: "c9" }] }] },
			"messages[0].content[0].tool_use_id",
		],
		[
			{ messages: [{ role: "user", content: [{ type: "tool_use", id: "c", name: "n", input: {} }] }] },
			"messages[0].content[0]",
		],
		[
			{ messages: [{ role: "assistant", content: [{ type: "tool_result", tool_use_id: "c" }] }, user] },
			"messages[0].content[0]",
		],
	])("is refused with %j", (fields, param) => {
		expect(() => read({ messages: [user], ...fields })).toThrow(expect.objectContaining({ param }));
	});

	it("may have values that ask for nothing", () => {
		const context_management = { edits: [{ type: "clear_thinking_20251015", keep: "all" }] };
		expect(
			read({ messages: [user], mcp_servers: [], thinking: { type: "adaptive" }, context_management }),
		).toEqual({
			messages: [{ role: "user", content: user.content }],
			maxOutputTokens: 100,
		});
	});
});
