import type { RunEvent, RunResult } from "@stemma/core";
import { describe, expect, it } from "vitest";
import { createAgUiEncoder } from "./ag-ui-encoder";
import type { AgUiEvent } from "./ag-ui-event";
import { toAgUiResponse } from "./to-ag-ui-stream";

type Draft = RunEvent extends infer Event
	? Event extends RunEvent
		? Omit<Event, "run_id" | "seq" | "at">
		: never
	: never;

const USAGE = { input_tokens: 1, output_tokens: 2, model_calls: 1, steps: 2 };
const toResult = (result: Partial<RunResult>): RunResult => ({
	...{ run_id: "run_1", status: "completed", output: null, citations: [], usage: USAGE, receipt: [] },
	...result,
});
const toEvents = (...drafts: readonly Draft[]): RunEvent[] =>
	[{ type: "run.started" as const }, ...drafts].map((draft, index) => ({
		...draft,
		run_id: "run_1",
		seq: index + 1,
		at: 0,
	}));
const question = { id: "q", role: "user", content: "Refund 7." };
const OPTIONS = { threadId: "t", runId: "r", messages: [question], state: { page: 1 } };
const encode = (...drafts: readonly Draft[]): AgUiEvent[] =>
	toEvents(...drafts).flatMap(createAgUiEncoder(OPTIONS));

const desk = { node: "desk", invocation: 1 };
const refund = { node: "refund", invocation: 2, parent: 1 };
const say = (text: string): Draft => ({ type: "text.delta", ...desk, text, final: true });
const reset: Draft = { type: "text.reset", ...desk };
const called: Draft = {
	type: "tool.called",
	...desk,
	callee: "refund",
	call_id: "c",
	arguments: { order: 7 },
};
const started: Draft = { type: "node.started", ...refund, kind: "tool", mode: "call", input: { order: 7 } };
const ended: Draft = { type: "node.completed", ...refund, output: { done: true }, usage: USAGE, ms: 1 };

describe("the AG-UI events of a run", () => {
	it("begin with the run and end with its state and outcome", () => {
		expect(
			encode(say("Hel"), say("lo."), { type: "run.completed", result: toResult({ output: "Hello." }) }),
		).toEqual([
			{ type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion: "1.0" },
			{ type: "STATE_SNAPSHOT", snapshot: { page: 1, stemma: { run_id: "run_1" } } },
			{ type: "TEXT_MESSAGE_START", messageId: "run_1.2", role: "assistant" },
			{ type: "TEXT_MESSAGE_CONTENT", messageId: "run_1.2", delta: "Hel" },
			{ type: "TEXT_MESSAGE_CONTENT", messageId: "run_1.2", delta: "lo." },
			{ type: "TEXT_MESSAGE_END", messageId: "run_1.2" },
			expect.objectContaining({ type: "STATE_SNAPSHOT" }),
			{ type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "success" }, result: "Hello." },
		]);
	});

	it("take back text that is not the answer, and keep the messages and calls before it", () => {
		const thought: Draft = { type: "reasoning.delta", ...desk, text: "Hm." };
		const events = encode(thought, thought, called, started, ended, say("Let me see."), reset);
		expect(events.at(-1)).toEqual({
			type: "MESSAGES_SNAPSHOT",
			messages: [
				question,
				{ id: "run_1.2", role: "reasoning", content: "Hm.Hm." },
				{
					id: "run_1.call_4.message",
					role: "assistant",
					toolCalls: [
						{ id: "run_1.call_4", type: "function", function: { name: "refund", arguments: '{"order":7}' } },
					],
				},
				{ id: "run_1.call_4.result", role: "tool", toolCallId: "run_1.call_4", content: '{"done":true}' },
			],
		});
	});

	it("have a result for a call that a run which has ended never made", () => {
		const error = { code: "max_steps", message: "Too many." };
		const failed: Draft = { type: "run.failed", error, result: toResult({ status: "failed", error }) };
		expect(encode(called, failed)).toContainEqual(
			expect.objectContaining({ type: "TOOL_CALL_RESULT", content: "The run ended first." }),
		);
	});

	it("interrupt for approvals, and go on behind them", () => {
		const approval = {
			id: "apr_2",
			node: "refund",
			tool: "refund_order",
			expires_at: "2027-01-01",
			arguments: { order: 7 },
		};
		const paused: Draft = {
			type: "run.paused",
			result: toResult({ status: "paused", approvals: [approval] }),
		};
		const events = toEvents(called, started, paused, { type: "run.resumed" }, ended);
		const all = events.flatMap(createAgUiEncoder(OPTIONS));
		const end = all.findIndex(({ type }) => type === "RUN_FINISHED");
		expect(all[end]).toMatchObject({
			outcome: {
				type: "interrupt",
				interrupts: [
					{
						id: "run_1.4.apr_2",
						toolCallId: "run_1.call_2",
						metadata: { stemma: { node: "refund", tool: "refund_order", arguments: { order: 7 } } },
					},
				],
			},
		});
		const rest = events.flatMap(createAgUiEncoder({ ...OPTIONS, after: 4 }));
		expect(rest).toEqual(all.slice(end + 1));
		expect(rest.map(({ type }) => type)).toEqual(["RUN_STARTED", "STATE_SNAPSHOT", "TOOL_CALL_RESULT"]);
	});

	it("start once where a run is resumed after a crash, and take back its text", () => {
		const end: Draft = { type: "run.completed", result: toResult({ output: "Hello." }) };
		const events = encode(say("Hel"), { type: "run.resumed" }, reset, say("Hello."), end);
		expect(events.filter(({ type }) => type === "RUN_STARTED")).toHaveLength(1);
		expect(events.map(({ type }) => type)).toContain("MESSAGES_SNAPSHOT");
	});

	it("end with success where a caller is not shown what the run waits for", () => {
		const result = toResult({ status: "paused" });
		expect(encode({ type: "run.paused", result }).at(-1)).toMatchObject({ outcome: { type: "success" } });
	});

	it("end with an error, after all that was open", () => {
		const error = { code: "model_failed", message: "It failed.", hint: "Try again." };
		const result = toResult({ status: "failed", error });
		const events = encode(
			{ type: "reasoning.delta", ...desk, text: "Hm." },
			{ type: "run.failed", error, result },
		);
		expect(events.map(({ type }) => type).slice(2)).toEqual([
			...["REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_CONTENT"],
			...["REASONING_MESSAGE_END", "REASONING_END", "STATE_SNAPSHOT", "RUN_ERROR"],
		]);
		expect(events.at(-1)).toEqual({
			type: "RUN_ERROR",
			code: "model_failed",
			message: "It failed. Try again.",
		});
	});
});

it("toAgUiResponse is a response of server-sent events", async () => {
	async function* run() {
		yield* toEvents({ type: "run.cancelled", result: toResult({ status: "cancelled" }) });
		throw new Error("secret");
	}
	const events = (await toAgUiResponse(run(), OPTIONS).text()).split("\n\n");
	expect(events[0]).toBe('data: {"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}');
	expect(events.at(-2)).toBe(
		'data: {"type":"RUN_ERROR","code":"run_unreadable","message":"An error occurred."}',
	);
});
