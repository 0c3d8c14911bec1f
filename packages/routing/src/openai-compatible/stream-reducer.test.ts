import { readdirSync, readFileSync } from "node:fs";
import type { ChatEvent, FinishReason } from "@stemma/core";
import { createSseReader } from "@stemma/core/sse";
import { describe, expect, it } from "vitest";
import { EMPTY_STREAM, isComplete, reduceEvent, type StreamState, toReply } from "./stream-reducer";

const folder = new URL("./__fixtures__/", import.meta.url);
const FILES = readdirSync(folder).filter((file) => file.endsWith(".sse"));
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
const ORIGIN = { baseUrl: "https://models.example/v1", model: "m" };
const replyOf = (name: string) => toReply(read(name).state, ORIGIN);
const textOf = (name: string, type: ChatEvent["type"]): string =>
	read(name)
		.events.map((event) => (event.type === type && event.type !== "finish" ? event.text : ""))
		.join("");

/** What each fixture says; the texts are "Zwölf.", the thoughts "Hm.", the calls of `faq` and `fees`, unless given. */
interface Expected {
	readonly text?: string;
	readonly hasThoughts?: true;
	readonly ids?: readonly string[];
	readonly finishReason?: FinishReason;
	/** Without: no usage is reported. */
	readonly cachedTokens?: number | "none";
}
const EXPECTED: { readonly [name: string]: Expected } = {
	"openai-text": { text: "Zwölf Euro 💶.", cachedTokens: 4 },
	"openai-calls": { text: "", ids: ["call_a", "call_b"] },
	"openai-refusal": { text: "I cannot help.", finishReason: "filtered" },
	"azure-text": { text: "Zwölf Euro.", finishReason: "filtered" },
	"azure-async-filter": { cachedTokens: "none" },
	"openrouter-reasoning": { hasThoughts: true, cachedTokens: 4 },
	"openrouter-calls": { text: "", hasThoughts: true, ids: ["tool_0_faq", "tool_1_fees"] },
	"groq-usage": { hasThoughts: true },
	"together-text": { cachedTokens: "none" },
	"mistral-parts": { hasThoughts: true, ids: ["D681PevKs", "E681PevKs"] },
	"mistral-length": { finishReason: "length", cachedTokens: "none" },
	"deepseek-reasoning": { hasThoughts: true, cachedTokens: 4 },
	"deepseek-calls": { text: "", hasThoughts: true, ids: ["call_00_x", "call_01_y"], cachedTokens: 4 },
	"vllm-reasoning": { hasThoughts: true, cachedTokens: "none" },
	"vllm-calls": { text: "", ids: ["chatcmpl-tool-1", "chatcmpl-tool-2"] },
	"sglang-calls": { text: "", ids: ["call_x", "call_y"], cachedTokens: "none" },
	"tgi-text": { cachedTokens: "none" },
	"tgi-calls": { text: "", ids: ["call_1_faq", "call_2_fees"] },
	"ollama-calls": { text: "", ids: ["call_x", "call_y"] },
	"ollama-reasoning": { hasThoughts: true, cachedTokens: "none" },
	"lmstudio-calls": { text: "", hasThoughts: true, ids: ["365174485", "365174486"] },
	"llamacpp-text": { hasThoughts: true, cachedTokens: 4 },
	"gemini-calls": { text: "", ids: ["function-call-1", "function-call-2"] },
	"gemini-text": { cachedTokens: "none" },
	"bedrock-text": { hasThoughts: true, cachedTokens: "none" },
	"no-ids-calls": { text: "", ids: ["call_1_faq", "call_2_fees"] },
	"no-done": {},
};
const FAILED: { readonly [name: string]: string } = {
	"openrouter-error": "rate_limited",
	"groq-error": "bad_request",
	"deepseek-breakdown": "overloaded",
	"vllm-error": "overloaded",
	"tgi-error": "overloaded",
	"lmstudio-error": "overloaded",
	"error-event": "overloaded",
};
/** Neither an end nor an error that one could read: older servers of llama.cpp send theirs as no event at all. */
const CUT_OFF = ["cut-off", "llamacpp-error"];

describe("a stream", () => {
	it.each(Object.entries(EXPECTED))("%s", (name, expected) => {
		const { text = "Zwölf.", hasThoughts, ids = [], cachedTokens, finishReason } = expected;
		const reply = replyOf(name);
		expect(textOf(name, "text.delta")).toBe(name === "mistral-parts" ? "Zwölf." : text);
		expect(textOf(name, "reasoning.delta")).toBe(hasThoughts ? "Hm." : "");
		expect(reply).toMatchObject({
			text,
			finishReason: finishReason ?? (ids.length > 0 ? "tool_calls" : "stop"),
		});
		expect(reply.toolCalls.map(({ id, name: called, arguments: made }) => [id, called, made])).toEqual(
			ids.map((id, index) => (index === 0 ? [id, "faq", '{"input":"a"}'] : [id, "fees", '{"input":"b"}'])),
		);
		if (cachedTokens !== undefined)
			expect(reply.usage).toEqual({
				inputTokens: 12,
				outputTokens: 7,
				...(cachedTokens === "none" ? {} : { cachedTokens }),
			});
		expect(read(name).state.failure).toBeUndefined();
		expect(isComplete(read(name).state)).toBe(true);
	});

	it.each(Object.entries(FAILED))("that fails half-way: %s", (name, code) => {
		expect(read(name).state.failure).toEqual({ code });
	});

	it.each(CUT_OFF)("without an end: %s", (name) => {
		expect(isComplete(read(name).state)).toBe(false);
	});

	it("of every fixture is known", () => {
		const known = [...Object.keys(EXPECTED), ...Object.keys(FAILED), ...CUT_OFF];
		expect(FILES).toEqual(known.map((name) => `${name}.sse`).sort());
	});

	it("with usage where vendors put it, or none", () => {
		expect(replyOf("groq-usage").usage).toEqual({ inputTokens: 5, outputTokens: 2 });
		expect(replyOf("no-done")).not.toHaveProperty("usage");
	});

	it("keeps the last usage that was told", () => {
		const describeReply = (usage: object | null): string =>
			`data: ${JSON.stringify({ choices: [], usage })}\n\n`;
		const [one, two] = [1, 2].map((tokens) => ({ prompt_tokens: 12, completion_tokens: tokens }));
		const stream =
			describeReply(one ?? {}) + describeReply(two ?? {}) + describeReply(null) + describeReply({});
		expect(reduce(new TextEncoder().encode(stream)).state.usage).toEqual({
			inputTokens: 12,
			outputTokens: 2,
		});
	});

	it.each([
		["an error event without data", "event: error\ndata: \n\n", "overloaded"],
		["an error event of text", "event: error\ndata: rate limit reached\n\n", "rate_limited"],
		["an error event at the end", "event: error\ndata: [DONE]\n\n", "overloaded"],
		["in a choice", 'data: {"choices":[{"delta":{"content":"x"},"error":{"code":502}}]}\n\n', "overloaded"],
		["by type", 'data: {"type":"error","code":500}\n\n', "overloaded"],
		["by message", 'data: {"message":"Internal error","error_type":"generation"}\n\n', "overloaded"],
		["by detail", 'data: {"detail":"rate limit reached"}\n\n', "rate_limited"],
		["nested too deep", `data: {"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}\n\n`, "bad_response"],
	])("that breaks off with an error: %s", (_, text, code) => {
		expect(reduce(new TextEncoder().encode(text)).state.failure).toEqual({ code });
	});

	it.each(['{"choices":[],"message":"x"}', '{"usage":{},"detail":"x"}', '{"x_groq":{},"message":"x"}'])(
		"is not taken for an error: %s",
		(data) => {
			expect(reduce(new TextEncoder().encode(`data: ${data}\n\n`)).state.failure).toBeUndefined();
		},
	);

	it("says no empty thoughts", () => {
		expect(read("deepseek-reasoning").events).toHaveLength(2);
	});

	it("is complete with [DONE] alone", () => {
		expect(isComplete(reduce(new TextEncoder().encode("data: [DONE]\n\n")).state)).toBe(true);
	});

	it("counts nothing behind [DONE]", () => {
		const late = new TextEncoder().encode('data:{"choices":[{"delta":{"content":"late"}}]}\n\n');
		expect(reduce(readFixture("openai-text"), late)).toEqual(read("openai-text"));
	});

	it("takes chunks with nothing in them, and refuses what is no chunk", () => {
		const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
		const empty = 'data:\n\ndata: \n\ndata: {}\n\ndata: {"choices":null}\n\ndata: {"choices":[{}]}\n\n';
		expect(reduce(bytes(empty))).toEqual({ state: EMPTY_STREAM, events: [] });
		expect(reduce(bytes("data:  [DONE] \n\n")).state.isDone).toBe(true);
		for (const data of ["hello", "7", "[]", '{"choices":'])
			expect(reduce(bytes(`data: ${data}\n\n`)).state.failure).toEqual({ code: "bad_response" });
	});
});

describe("wherever it is cut", () => {
	it.each(FILES)("%s is read alike", (file) => {
		const bytes = new Uint8Array(readFileSync(new URL(file, folder)));
		const whole = reduce(bytes);
		for (let at = 0; at <= bytes.length; at++)
			expect(reduce(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
		expect(reduce(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
	});
});
