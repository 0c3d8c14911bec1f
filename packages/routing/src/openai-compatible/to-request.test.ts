import type { ChatRequest } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { adaptDialect, toDialect } from "./dialect";
import { isStrictSchema } from "./strict-schema";
import { toRequest } from "./to-request";

const dialect = toDialect("127.0.0.1:8080");
const whole = (request: ChatRequest) => toRequest(request, { model: "m", isStreamed: false, dialect });
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
		expect(toRequest(request, { model: "m", isStreamed: true, dialect })).toEqual({
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

describe("dialects", () => {
	it("begin with what most of a host's models take", () => {
		expect(toDialect("api.openai.com").tokenLimit).toBe("max_completion_tokens");
		expect(toDialect("team.openai.azure.com").tokenLimit).toBe("max_completion_tokens");
		expect(toDialect("api.openai.com.example.com").tokenLimit).toBe("max_tokens");
	});

	it("give up a field that is refused", () => {
		expect(adaptDialect(dialect, "stream_options")?.asksUsage).toBe(false);
		expect(adaptDialect({ ...dialect, asksUsage: false }, "stream_options")).toBeUndefined();
		expect(adaptDialect(dialect, "max_tokens")?.tokenLimit).toBe("max_completion_tokens");
		expect(adaptDialect(toDialect("api.openai.com"), "max_completion_tokens")).toEqual(dialect);
		expect(adaptDialect(dialect, "temperature")).toBeUndefined();
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
	])("%j: %s", (schema, isStrict) => {
		expect(isStrictSchema(schema)).toBe(isStrict);
	});
});
