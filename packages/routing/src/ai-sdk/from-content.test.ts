import { describe, expect, it } from "vitest";
import { fromContent } from "./from-content";

const read = (content: readonly object[], rest: object = {}) =>
	fromContent({ content, finishReason: { unified: "stop", raw: undefined }, usage: {}, ...rest });
const replyOf = (...parameters: Parameters<typeof read>) => {
	const answer = read(...parameters);
	if ("failure" in answer) throw new Error(answer.failure.code);
	return answer.reply;
};
const call = (rest: object) => ({
	type: "tool-call",
	toolCallId: "a",
	toolName: "faq",
	input: "{}",
	...rest,
});

it("joins texts, and leaves out files and sources", () => {
	const content = [
		{ type: "reasoning", text: "Hm." },
		{ type: "text", text: "Twelve " },
		{ type: "source", sourceType: "url", id: "s", url: "https://example.com", title: "x" },
		{ type: "file", mediaType: "text/plain", data: "QQ==" },
		{ type: "text", text: "euro." },
	];
	expect(replyOf(content)).toEqual({
		text: "Twelve euro.",
		reasoning: "Hm.",
		toolCalls: [],
		finishReason: "stop",
	});
});

describe("calls", () => {
	it("of the vendor's own tools are none of the caller's", () => {
		const content = [
			call({ toolName: "web_search", providerExecuted: true }),
			{ type: "tool-result", toolCallId: "a", toolName: "web_search", result: {} },
			{ type: "text", text: "Found." },
		];
		const unified = { finishReason: { unified: "tool-calls", raw: "x" } };
		expect(replyOf(content, unified)).toEqual({ text: "Found.", toolCalls: [], finishReason: "stop" });
	});

	it("have ids of their own and JSON text", () => {
		const content = [
			call({}),
			call({ input: { input: "b" } }),
			call({ toolCallId: undefined, input: undefined }),
			call({ toolCallId: "b", input: "{" }),
			call({ toolName: "" }),
		];
		expect(replyOf(content).toolCalls).toEqual([
			{ id: "a", name: "faq", arguments: "{}" },
			{ id: "call_2_faq", name: "faq", arguments: '{"input":"b"}' },
			{ id: "call_3_faq", name: "faq", arguments: "{}" },
			{ id: "b", name: "faq", arguments: "{" },
		]);
	});

	it("that wait for an approval are a failure that says so", () => {
		const content = [
			call({ toolName: "mcp", providerExecuted: true }),
			{ type: "tool-approval-request", approvalId: "p", toolCallId: "a" },
		];
		expect(read(content)).toEqual({
			failure: { code: "bad_response", hint: expect.stringContaining("switch approvals off") },
		});
	});
});

describe("the finish reason", () => {
	it.each([
		["stop", "stop"],
		["tool-calls", "stop"],
		["length", "length"],
		["content-filter", "filtered"],
		["other", "other"],
		["unknown", "other"],
		["toString", "other"],
	])("%s is %s, in one word and in two", (word, reason) => {
		expect(replyOf([], { finishReason: word }).finishReason).toBe(reason);
		expect(replyOf([], { finishReason: { unified: word, raw: "x" } }).finishReason).toBe(reason);
	});

	it.each([
		["error", "overloaded"],
		["interrupted", "stream_truncated"],
	])("%s is the failure %s", (unified, code) => {
		expect(read([{ type: "text", text: "Half" }], { finishReason: { unified } })).toEqual({
			failure: { code },
		});
	});
});

describe("usage", () => {
	const usageOf = (usage: unknown) => replyOf([], { usage }).usage;

	it.each([
		[undefined],
		[{ inputTokens: undefined, outputTokens: undefined, totalTokens: undefined }],
		[{ inputTokens: { total: undefined }, outputTokens: { total: 3 } }],
		[{ inputTokens: 0, outputTokens: 0 }],
		[{ inputTokens: Number.NaN, outputTokens: Number.NaN }],
		[{ inputTokens: -3_000, outputTokens: 4 }],
		[{ inputTokens: { total: 3 }, outputTokens: { total: -4 } }],
		[{ inputTokens: Number.POSITIVE_INFINITY, outputTokens: 4 }],
		[{ inputTokens: { total: 3 }, outputTokens: { total: 0.5 } }],
	])("that is not reported is left out: %j", (usage) => {
		expect(replyOf([], { usage })).not.toHaveProperty("usage");
	});

	it("has no cached tokens that are no number of them", () => {
		for (const cachedInputTokens of [-2, 0.5, Number.POSITIVE_INFINITY])
			expect(usageOf({ inputTokens: 9, outputTokens: 1, cachedInputTokens })).toEqual({
				inputTokens: 9,
				outputTokens: 1,
			});
	});

	it("has cached tokens where there were any", () => {
		expect(usageOf({ inputTokens: 9, outputTokens: 0, cachedInputTokens: 2 })).toEqual({
			inputTokens: 9,
			outputTokens: 0,
			cachedTokens: 2,
		});
		const input = { total: 9, noCache: 9, cacheRead: 0 };
		expect(usageOf({ inputTokens: input, outputTokens: { total: 1 } })).toEqual({
			inputTokens: 9,
			outputTokens: 1,
		});
	});
});
