import type {
	LanguageModelV2StreamPart,
	LanguageModelV3StreamPart,
	LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import type { ChatEvent } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { fromContent } from "./from-content";
import { EMPTY_STREAM, reducePart, type StreamState } from "./stream-reducer";

type Part = LanguageModelV2StreamPart | LanguageModelV3StreamPart | LanguageModelV4StreamPart;

function reduce(parts: readonly Part[]): {
	readonly state: StreamState;
	readonly events: readonly ChatEvent[];
} {
	let state = EMPTY_STREAM;
	const events: ChatEvent[] = [];
	for (const part of parts) {
		const step = reducePart(state, { ...part });
		state = step.state;
		events.push(...step.events);
	}
	return { state, events };
}

const toResult = ({ content, finish }: StreamState) => fromContent({ ...finish, content });

const TEXT: readonly LanguageModelV2StreamPart[] = [
	{ type: "stream-start", warnings: [{ type: "other", message: "Careful." }] },
	{ type: "response-metadata", id: "r_1", modelId: "m" },
	{ type: "reasoning-start", id: "0" },
	{ type: "reasoning-delta", id: "0", delta: "Hm" },
	{ type: "reasoning-delta", id: "0", delta: "." },
	{ type: "reasoning-end", id: "0", providerMetadata: { acme: { signature: "s" } } },
	{ type: "text-start", id: "0" },
	{ type: "text-delta", id: "0", delta: "" },
	{ type: "text-delta", id: "0", delta: "Zwölf " },
	{ type: "raw", rawValue: {} },
	{ type: "text-delta", id: "0", delta: "Euro 💶." },
	{ type: "text-end", id: "0" },
];
const CALLS: readonly LanguageModelV2StreamPart[] = [
	{ type: "tool-input-start", id: "call_a", toolName: "faq" },
	{ type: "tool-input-delta", id: "call_a", delta: '{"input"' },
	{ type: "tool-input-delta", id: "call_a", delta: ':"a"}' },
	{ type: "tool-input-end", id: "call_a" },
	{ type: "tool-call", toolCallId: "call_a", toolName: "faq", input: '{"input":"a"}' },
	{ type: "tool-call", toolCallId: "call_b", toolName: "fees", input: "" },
];
const USAGE_V2 = { inputTokens: 12, outputTokens: 7, totalTokens: 19, cachedInputTokens: 4 };
const USAGE_V3 = {
	inputTokens: { total: 12, noCache: 8, cacheRead: 4, cacheWrite: undefined },
	outputTokens: { total: 7, text: 5, reasoning: 2 },
};
const USAGE = { inputTokens: 12, outputTokens: 7, cachedTokens: 4 };
const finishV2 = (finishReason: "stop" | "tool-calls"): Part => ({
	type: "finish",
	finishReason,
	usage: USAGE_V2,
});
const finishV3 = (unified: "stop" | "tool-calls"): Part => ({
	type: "finish",
	finishReason: { unified, raw: "end_turn" },
	usage: USAGE_V3,
});

describe.each([
	["V2", finishV2],
	["V3 and V4", finishV3],
])("a stream of %s", (_, finish) => {
	it("of text, behind reasoning with the same id", () => {
		const { state, events } = reduce([...TEXT, finish("stop")]);
		expect(events).toEqual([
			{ type: "reasoning.delta", text: "Hm" },
			{ type: "reasoning.delta", text: "." },
			{ type: "text.delta", text: "Zwölf " },
			{ type: "text.delta", text: "Euro 💶." },
		]);
		expect(toResult(state)).toEqual({
			reply: { text: "Zwölf Euro 💶.", reasoning: "Hm.", toolCalls: [], finishReason: "stop", usage: USAGE },
			content: [
				{ type: "reasoning", id: "0", text: "Hm.", providerMetadata: { acme: { signature: "s" } } },
				{ type: "text", id: "0", text: "Zwölf Euro 💶." },
			],
		});
	});

	it.each(["stop", "tool-calls"] as const)("of calls, each once, with the reason %s", (reason) => {
		const { state, events } = reduce([...CALLS, finish(reason)]);
		expect(events).toEqual([]);
		expect(toResult(state)).toMatchObject({
			reply: {
				text: "",
				finishReason: "tool_calls",
				toolCalls: [
					{ id: "call_a", name: "faq", arguments: '{"input":"a"}' },
					{ id: "call_b", name: "fees", arguments: "{}" },
				],
			},
		});
	});
});

it("keeps apart blocks that run side by side, and those that use an id again", () => {
	const { state } = reduce([
		{ type: "text-start", id: "1" },
		{ type: "text-start", id: "2" },
		{ type: "text-delta", id: "1", delta: "a" },
		{ type: "text-delta", id: "2", delta: "c" },
		{ type: "text-delta", id: "1", delta: "b" },
		{ type: "text-end", id: "1" },
		{ type: "text-start", id: "1" },
		{ type: "text-delta", id: "1", delta: "d" },
	]);
	expect(state.content.map(({ text }) => text)).toEqual(["ab", "c", "d"]);
});

it("takes deltas without a start", () => {
	const { state } = reduce([{ type: "text-delta", id: "1", delta: "a" }]);
	expect(state.content).toEqual([{ type: "text", id: "1", text: "a" }]);
});

it("leaves out what is no part of a reply", () => {
	const { state, events } = reduce([
		{ type: "ping" },
		{ type: "file", mediaType: "image/png", data: { type: "data", data: "AA==" } },
		{ type: "source", sourceType: "url", id: "s", url: "https://example.com" },
		{ type: "custom", kind: "acme.thing" },
		{ type: "tool-result", toolCallId: "x", toolName: "web", result: "half", preliminary: true },
		{ type: "tool-result", toolCallId: "x", toolName: "web", result: "all" },
	]);
	expect([state.content.length, events]).toEqual([1, []]);
	expect(state.content[0]).toMatchObject({ type: "tool-result", result: "all" });
});

it("fails beyond 1,024 parts: each piece copies their list", () => {
	const starts = Array.from({ length: 1_025 }, (_, id) => ({
		type: "text-start" as const,
		id: String(id),
	}));
	expect(reduce(starts.slice(1)).state.failure).toBeUndefined();
	expect(reduce(starts).state.failure).toEqual({ error: { name: "AI_TypeValidationError" } });
});

it("keeps an error as it came", () => {
	const { state, events } = reduce([...TEXT, { type: "error", error: "overloaded" }]);
	expect([state.failure, state.finish, events.length]).toEqual([{ error: "overloaded" }, undefined, 4]);
});
