import { describe, expect, it } from "vitest";
import { readUsage, toFinishReason } from "./wire";

describe("usage", () => {
	it.each([
		[{ usage: { prompt_tokens: 3, completion_tokens: 0 } }, { inputTokens: 3, outputTokens: 0 }],
		[{ usage: null }, undefined],
		[{ usage: { prompt_tokens: 3 } }, undefined],
		[{ usage: { prompt_tokens: "3", completion_tokens: 1 } }, undefined],
		[{ usage: { prompt_tokens: 0, completion_tokens: 0 } }, undefined],
		[{ usage: { prompt_tokens: 1.5, completion_tokens: 1 } }, undefined],
		[{ usage: { prompt_tokens: -5, completion_tokens: 9 } }, undefined],
		[{ usage: { prompt_tokens: 1e308, completion_tokens: 1 } }, undefined],
		[
			{ usage: { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: { cached_tokens: -1 } } },
			{ inputTokens: 3, outputTokens: 1 },
		],
	])("%j: unknown is not 0", (body, usage) => {
		expect(readUsage(body)).toEqual(usage);
	});
});

describe("the finish reason", () => {
	it.each([
		["stop", false, "stop"],
		["stop", true, "tool_calls"],
		["tool_calls", false, "stop"],
		["function_call", true, "tool_calls"],
		["eos", false, "stop"],
		["length", true, "length"],
		["model_length", false, "length"],
		["content_filter", false, "filtered"],
		["constructor", false, "other"],
		[undefined, false, "stop"],
		[undefined, true, "tool_calls"],
	])("%s, with calls %s: %s", (reason, hasCalls, finishReason) => {
		expect(toFinishReason(reason, hasCalls)).toBe(finishReason);
	});
});

it.each([
	["LENGTH", "length"],
	["MAX_TOKENS", "length"],
	["max_tokens", "length"],
	["content_filter: SAFETY", "filtered"],
	["content_filter:hate", "filtered"],
	["Stop", "stop"],
	["constructor", "other"],
])("the reason %s is %s", (reason, expected) => {
	expect(toFinishReason(reason, false)).toBe(expected);
});
