import type { RunEvent, RunResult } from "@stemma/core";

/** Event of a run as the wire has it: `at` is RFC 3339. */
type ScriptedEvent<Type extends RunEvent["type"]> = Omit<Extract<RunEvent, { readonly type: Type }>, "at"> & {
	readonly at: string;
};

/** Time of all events of scripted runs. */
const AT = "2026-01-02T03:04:05.678Z";

/** First event of a run of the agent `desk`. */
export const started = (runId: string): ScriptedEvent<"run.started"> => ({
	type: "run.started",
	run_id: runId,
	seq: 1,
	at: AT,
	agent: "desk",
});

/** Part of the answer of a run. */
export const finalText = (runId: string, seq: number, text: string): ScriptedEvent<"text.delta"> => ({
	type: "text.delta",
	run_id: runId,
	seq,
	at: AT,
	node: "desk",
	invocation: 1,
	text,
	final: true,
});

/** End of a run that has answered. */
export const completed = (runId: string, seq: number, output: string): ScriptedEvent<"run.completed"> => ({
	type: "run.completed",
	run_id: runId,
	seq,
	at: AT,
	result: resultOf(runId, output),
});

/** End of a run that was cancelled after a part of its answer. */
export const cancelled = (runId: string, seq: number, output: string): ScriptedEvent<"run.cancelled"> => ({
	type: "run.cancelled",
	run_id: runId,
	seq,
	at: AT,
	result: { ...resultOf(runId, output), status: "cancelled" },
});

/** Pause of a run for approvals, by their ids, that have expired since. */
export const pausedFor = (
	runId: string,
	seq: number,
	...ids: readonly string[]
): ScriptedEvent<"run.paused"> => ({
	type: "run.paused",
	run_id: runId,
	seq,
	at: AT,
	result: {
		...resultOf(runId, ""),
		status: "paused",
		approvals: ids.map((id) => ({ id, node: "pay", tool: "pay", arguments: {}, expires_at: AT })),
	},
});

const resultOf = (runId: string, output: string): RunResult => ({
	run_id: runId,
	status: "completed",
	output,
	citations: [],
	usage: { input_tokens: 1, output_tokens: 1, model_calls: 1, steps: 1 },
	receipt: [],
});
