import type { WireRunEvent } from "@stemma/client";
import type { Json, RunResult } from "@stemma/core";

/** What happens in a run, without what is the same for all of it. */
export type TestRunEvent = WireRunEvent extends infer Event
	? Event extends WireRunEvent
		? Omit<Event, "run_id" | "seq" | "at">
		: never
	: never;

export const resultOf = (
	status: RunResult["status"],
	output: Json,
	overrides: Partial<RunResult> = {},
): RunResult => ({
	run_id: "run_1",
	status,
	output,
	citations: [],
	usage: { input_tokens: 1, output_tokens: 2, model_calls: 1, steps: 2 },
	receipt: [],
	...overrides,
});

const nodeFields = { node: "desk", invocation: 1 };

export const started: TestRunEvent = { type: "run.started", agent: "desk" };
export const resumed: TestRunEvent = { type: "run.resumed" };
export const reset: TestRunEvent = { type: "text.reset", ...nodeFields };
export const textDelta = (text: string, final = true): TestRunEvent => ({
	type: "text.delta",
	...nodeFields,
	text,
	final,
});
export const reasoningDelta: TestRunEvent = { type: "reasoning.delta", ...nodeFields, text: "Hm." };

export const completed = (output: Json, overrides?: Partial<RunResult>): TestRunEvent => ({
	type: "run.completed",
	result: resultOf("completed", output, overrides),
});

export const cancelled = (output: Json): TestRunEvent => ({
	type: "run.cancelled",
	result: resultOf("cancelled", output),
});

const error = { code: "timeout", message: "The run took too long.", hint: "Raise limits.timeoutMs." };

export const failed = (output: Json): TestRunEvent => ({
	type: "run.failed",
	error,
	result: resultOf("failed", output, { error }),
});

export const approval = {
	id: "ap_1",
	node: "refund",
	tool: "refund_order",
	arguments: { order: 7 },
	expires_at: "2026-01-09T00:00:00.000Z",
};

export const paused: TestRunEvent = {
	type: "run.paused",
	result: resultOf("paused", null, { approvals: [approval] }),
};

/** Happenings as the events of one run, a second apart. */
export const toEvents = (events: readonly TestRunEvent[], runId = "run_1", after = 0): WireRunEvent[] =>
	events.map((event, index) => {
		const seq = after + index + 1;
		return { ...event, run_id: runId, seq, at: new Date(Date.UTC(2026, 0, 2, 3, 4, seq)).toISOString() };
	});
