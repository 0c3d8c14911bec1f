import { readdirSync, readFileSync } from "node:fs";
import type { ChatEvent } from "@stemma/core";
import { encodeEvent } from "@stemma/simulators/bedrock";
import { describe, expect, it } from "vitest";
import type { Fields } from "../http/lenient-json";
import { createAliases } from "./aliases";
import { createEventStreamReader } from "./event-stream";
import {
	EMPTY_STREAM,
	isComplete,
	reduceEvent,
	reduceMessage,
	type StreamState,
	toReply,
} from "./stream-reducer";

/** Streams as the vendor sends them, with its padding; the bytes are by an encoder that shares no code with the reader. */
const folder = new URL("./__fixtures__/", import.meta.url);
const names = readdirSync(folder);
const readFixture = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, folder)));

interface Outcome {
	readonly state: StreamState;
	readonly events: readonly ChatEvent[];
}

function reduce(...pieces: Uint8Array[]): Outcome {
	const reader = createEventStreamReader();
	let state = EMPTY_STREAM;
	const events: ChatEvent[] = [];
	for (const message of pieces.flatMap((piece) => reader.push(piece))) {
		const step = reduceMessage(state, message);
		state = step.state;
		events.push(...step.events);
	}
	return { state, events };
}

const read = (name: string): Outcome => reduce(readFixture(`${name}.eventstream`));
const toWhole = (state: StreamState) => toReply(state, { names: createAliases([]) });
const replyOf = (name: string) => toWhole(read(name).state);
const textOf = (name: string, type: "text.delta" | "reasoning.delta"): string[] =>
	read(name).events.flatMap((event) => (event.type === type ? event.text : []));

describe("a stream", () => {
	it("of text, with usage that counts what was cached", () => {
		expect(textOf("claude-text", "text.delta")).toEqual(["Zw", "ölf Euro", " 💶."]);
		expect(replyOf("claude-text")).toEqual({
			text: "Zwölf Euro 💶.",
			toolCalls: [],
			finishReason: "stop",
			usage: { inputTokens: 18, outputTokens: 7, cachedTokens: 4 },
		});
	});

	it("of text and calls", () => {
		expect(replyOf("claude-calls")).toEqual({
			text: "Let me look.",
			toolCalls: [
				{ id: "tooluse_a", name: "faq", arguments: '{"input": "ä"}' },
				{ id: "tooluse_b", name: "fees", arguments: '{"input": "b"}' },
			],
			finishReason: "tool_calls",
			usage: { inputTokens: 431, outputTokens: 80 },
		});
	});

	it("fails beyond 256 calls: each piece is compared with all of them", () => {
		const start = (index: number) => ({
			contentBlockIndex: index,
			start: { toolUse: { toolUseId: `call-${index}`, name: "look" } },
		});
		let state = EMPTY_STREAM;
		for (let index = 0; index < 256; index++)
			state = reduceEvent(state, "contentBlockStart", start(index)).state;
		expect(state.failure).toBeUndefined();
		expect(reduceEvent(state, "contentBlockStart", start(256)).state.failure).toMatchObject({
			code: "bad_response",
		});
	});

	it("of calls without arguments", () => {
		const calls = replyOf("nova-calls").toolCalls;
		expect(calls.map((call) => call.arguments)).toEqual(["{}", "{}"]);
	});

	it("of calls, some of them cut off before their arguments, which are not none then", () => {
		const start = (contentBlockIndex: number, name: string) =>
			({ type: "contentBlockStart", payload: { contentBlockIndex, start: { toolUse: { name } } } }) as const;
		const stop = (stopReason: string) => ({ type: "messageStop", payload: { stopReason } }) as const;
		const read = (...events: readonly { type: string; payload: Fields }[]) =>
			toWhole(
				events.reduce((state, { type, payload }) => reduceEvent(state, type, payload).state, EMPTY_STREAM),
			);
		const textsOf = (reason: string) =>
			read(start(0, "faq"), start(1, "fees"), stop(reason)).toolCalls.map((call) => call.arguments);
		expect(textsOf("max_tokens")).toEqual(["{}", ""]);
		expect(textsOf("model_context_window_exceeded")).toEqual(["{}", ""]);
		expect(textsOf("tool_use")).toEqual(["{}", "{}"]);
		expect(read(start(0, "faq"), start(1, ""), stop("max_tokens")).toolCalls).toMatchObject([
			{ name: "faq", arguments: "{}" },
		]);
	});

	it("of thoughts, which are no text; their signature is neither", () => {
		expect(textOf("claude-reasoning", "reasoning.delta")).toEqual(["H", "m."]);
		expect(textOf("claude-reasoning", "text.delta")).toEqual(["Zwölf."]);
		expect(replyOf("claude-reasoning").text).toBe("Zwölf.");
	});

	it("that was filtered, without usage where none is reported", () => {
		expect(replyOf("filtered")).toEqual({ text: "Sorry.", toolCalls: [], finishReason: "filtered" });
	});

	it("with events and deltas that are not known", () => {
		expect(read("unknown-events").state.failure).toBeUndefined();
		expect(replyOf("unknown-events").text).toBe("Zwölf.");
	});

	it.each(["", "[]", "x", "null"])("with an unknown event whose payload is %j", (payload) => {
		const { state } = reduce(encodeEvent({ ":message-type": "event", ":event-type": "heartbeat" }, payload));
		expect(state).toBe(EMPTY_STREAM);
	});

	it.each([
		["throttled", "rate_limited"],
		["model-error", "rate_limited"],
		["error-message", "overloaded"],
		["orphan-input", "bad_response"],
	])("that fails: %s", (name, code) => {
		expect(read(name).state.failure?.code).toBe(code);
	});

	it("is complete with its stop reason, and done with its usage", () => {
		const states = names.map((name) => [name.split(".")[0], read(name.split(".")[0] ?? "").state] as const);
		const which = (holds: (state: StreamState) => boolean): string[] =>
			states.flatMap(([name = "", state]) => (state.failure === undefined && !holds(state) ? name : []));
		expect(which(isComplete)).toEqual(["no-stop"]);
		expect(which(({ isDone }) => isDone)).toEqual(["no-stop", "no-usage"]);
	});
});

describe("wherever it is cut", () => {
	it.each(names)("%s is read alike", (name) => {
		const bytes = readFixture(name);
		const whole = JSON.stringify(reduce(bytes));
		const others = Array.from({ length: bytes.length }, (_, at) =>
			JSON.stringify(reduce(bytes.subarray(0, at), bytes.subarray(at))),
		);
		expect(new Set(others)).toEqual(new Set([whole]));
		expect(JSON.stringify(reduce(...Array.from(bytes, (byte) => Uint8Array.of(byte))))).toBe(whole);
	});
});
