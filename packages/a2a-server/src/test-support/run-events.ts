import type { WireRunEvent } from "@stemma/client";
import type { Json, RunResult } from "@stemma/core";

/** What happens in a run, without what is the same for all of it. */
export type Happening = WireRunEvent extends infer Event
	? Event extends WireRunEvent
		? Omit<Event, "run_id" | "seq" | "at">
		: never
	: never;

export const resultOf = (
	status: RunResult["status"],
	output: Json,
	more: Partial<RunResult> = {},
): RunResult => ({
	run_id: "run_1",
	status,
	output,
	citations: [],
	usage: { input_tokens: 1, output_tokens: 2, model_calls: 1, steps: 2 },
	receipt: [],
	...more,
});

const ofNode = { node: "desk", invocation: 1 };

export const started: Happening = { type: "run.started", agent: "desk" };
export const resumed: Happening = { type: "run.resumed" };
export const reset: Happening = { type: "text.reset", ...ofNode };
export const word = (text: string, final = true): Happening => ({
	type: "text.delta",
	...ofNode,
	text,
	final,
});
export const thought: Happening = { type: "reasoning.delta", ...ofNode, text: "Hm." };

export const completed = (output: Json, more?: Partial<RunResult>): Happening => ({
	type: "run.completed",
	result: resultOf("completed", output, more),
});

export const cancelled = (output: Json): Happening => ({
	type: "run.cancelled",
	result: resultOf("cancelled", output),
});

const error = { code: "timeout", message: "The run took too long.", hint: "Raise limits.timeoutMs." };

export const failed = (output: Json): Happening => ({
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

export const paused: Happening = {
	type: "run.paused",
	result: resultOf("paused", null, { approvals: [approval] }),
};

/** Happenings as the events of one run, a second apart. */
export const toEvents = (happenings: readonly Happening[], runId = "run_1", after = 0): WireRunEvent[] =>
	happenings.map((happening, index) => {
		const seq = after + index + 1;
		return { ...happening, run_id: runId, seq, at: new Date(Date.UTC(2026, 0, 2, 3, 4, seq)).toISOString() };
	});
