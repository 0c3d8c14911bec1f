import { readdirSync, readFileSync } from "node:fs";
import type { ChatEvent } from "@stemma/core";
import { createSseReader } from "@stemma/core/sse";
import { describe, expect, it } from "vitest";
import { EMPTY_STREAM, isComplete, reduceEvent, type StreamState, toReply } from "./stream-reducer";

const folder = new URL("./__fixtures__/", import.meta.url);
const readFixture = (name: string): Uint8Array => readFileSync(new URL(`${name}.sse`, folder));

interface Outcome {
	readonly state: StreamState;
	readonly events: readonly ChatEvent[];
}

function reduce(...pieces: Uint8Array[]): Outcome {
	const reader = createSseReader();
	let state = EMPTY_STREAM;
	const events: ChatEvent[] = [];
	for (const event of pieces.flatMap((piece) => reader.push(piece))) {
		const step = reduceEvent(state, event);
		state = step.state;
		events.push(...step.events);
	}
	return { state, events };
}

const read = (name: string): Outcome => reduce(readFixture(name));
const replyOf = (name: string) => toReply(read(name).state);
const textOf = (name: string, type: ChatEvent["type"]): string =>
	read(name)
		.events.map((event) => (event.type === type && event.type !== "finish" ? event.text : ""))
		.join("");
const CALLS = [
	{ name: "faq", arguments: '{"input":"a"}' },
	{ name: "fees", arguments: '{"input":"b"}' },
];

describe("a stream", () => {
	it("of text, with usage in a chunk of its own", () => {
		expect(textOf("openai-text", "text.delta")).toBe("Zwölf Euro 💶.");
		expect(replyOf("openai-text")).toEqual({
			text: "Zwölf Euro 💶.",
			toolCalls: [],
			finishReason: "stop",
			usage: { inputTokens: 12, outputTokens: 7, cachedTokens: 4 },
		});
	});

	it.each([
		["openai-calls", ["call_a", "call_b"]],
		["ollama-calls", ["call_x", "call_y"]],
		["gemini-calls", ["function-call-1", "function-call-2"]],
		["mistral-parts", ["D681PevKs", "E681PevKs"]],
		["no-ids-calls", ["call_1_faq", "call_2_fees"]],
	])("of calls: %s", (name, ids) => {
		const { toolCalls, finishReason } = replyOf(name);
		expect(toolCalls).toEqual(CALLS.map((call, index) => ({ id: ids[index], ...call })));
		expect(finishReason).toBe("tool_calls");
		expect(isComplete(read(name).state)).toBe(true);
	});

	it("of thoughts, which are no text", () => {
		for (const name of ["groq-usage", "mistral-parts", "deepseek-reasoning"]) {
			expect(textOf(name, "reasoning.delta")).toBe("Hm.");
			expect(replyOf(name).text).toBe("Zwölf.");
		}
		expect(read("deepseek-reasoning").events).toHaveLength(2);
	});

	it("with usage where vendors put it", () => {
		expect(replyOf("groq-usage").usage).toEqual({ inputTokens: 5, outputTokens: 2 });
		expect(replyOf("deepseek-reasoning").usage).toEqual({
			inputTokens: 12,
			outputTokens: 7,
			cachedTokens: 4,
		});
		expect(replyOf("no-done")).not.toHaveProperty("usage");
	});

	it("that was filtered or refused", () => {
		expect(replyOf("azure-text")).toMatchObject({ text: "Zwölf Euro.", finishReason: "filtered" });
		expect(replyOf("openai-refusal")).toMatchObject({ text: "I cannot help.", finishReason: "filtered" });
	});

	it.each([
		["openrouter-error", "rate_limited"],
		["deepseek-breakdown", "overloaded"],
		["vllm-error", "overloaded"],
		["error-event", "overloaded"],
	])("that fails half-way: %s", (name, code) => {
		expect(read(name).state.failure).toEqual({ code });
	});

	it("is complete with a reason or with [DONE], and with neither it is not", () => {
		expect(isComplete(read("no-done").state)).toBe(true);
		expect(isComplete(read("cut-off").state)).toBe(false);
		expect(isComplete(reduce(new TextEncoder().encode("data: [DONE]\n\n")).state)).toBe(true);
	});

	it("counts nothing behind [DONE]", () => {
		const late = new TextEncoder().encode('data:{"choices":[{"delta":{"content":"late"}}]}\n\n');
		expect(reduce(readFixture("openai-text"), late)).toEqual(read("openai-text"));
	});

	it("takes chunks with nothing in them, and refuses what is no chunk", () => {
		const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
		const empty = 'data:\n\ndata: {}\n\ndata: {"choices":null}\n\ndata: {"choices":[{}]}\n\n';
		expect(reduce(bytes(empty))).toEqual({ state: EMPTY_STREAM, events: [] });
		for (const data of ["hello", "7", "[]", '{"choices":'])
			expect(reduce(bytes(`data: ${data}\n\n`)).state.failure).toEqual({ code: "bad_response" });
	});
});

describe("wherever it is cut", () => {
	it.each(readdirSync(folder))("%s is read alike", (file) => {
		const bytes = new Uint8Array(readFileSync(new URL(file, folder)));
		const whole = reduce(bytes);
		for (let at = 0; at <= bytes.length; at++)
			expect(reduce(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
		expect(reduce(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
	});
});
