import type { WireRunEvent } from "@stemma/client";
import type { RunResult } from "@stemma/core";

const AT = "2026-01-01T00:00:00.000Z";

export const started = (runId: string): WireRunEvent => ({
	type: "run.started",
	run_id: runId,
	seq: 1,
	at: AT,
	agent: "desk",
});

export const finalText = (runId: string, seq: number, text: string): WireRunEvent => ({
	type: "text.delta",
	run_id: runId,
	seq,
	at: AT,
	node: "desk",
	invocation: 1,
	text,
	final: true,
});

export const completed = (runId: string, seq: number, output: string): WireRunEvent => ({
	type: "run.completed",
	run_id: runId,
	seq,
	at: AT,
	result: resultOf(runId, output),
});

export const pausedFor = (runId: string, seq: number, ...ids: readonly string[]): WireRunEvent => ({
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
