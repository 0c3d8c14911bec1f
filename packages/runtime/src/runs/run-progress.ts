import type { WireRunEvent } from "@stemma/client";
import type { RunError, RunResult } from "@stemma/core";

/** What the events of a run have told so far. */
export interface RunProgress {
	readonly runId: string;
	readonly lastSeq: number;
	/** The final text so far. */
	readonly text: string;
	/** Once the run has ended. */
	readonly result?: RunResult;
}

export function followEvent(progress: RunProgress, event: WireRunEvent): RunProgress {
	const next = { ...progress, lastSeq: event.seq };
	if (event.type === "text.reset") return { ...next, text: "" };
	if (event.type === "text.delta" && event.final) return { ...next, text: progress.text + event.text };
	return "result" in event ? { ...next, result: event.result } : next;
}

/** The last event of a run whose source ended without one: failed for a reason, or cancelled. */
export function createEnding(
	{ runId, lastSeq, text }: RunProgress,
	at: string,
	error: RunError | undefined,
): WireRunEvent {
	const result: RunResult = {
		run_id: runId,
		status: error === undefined ? "cancelled" : "failed",
		output: text === "" ? null : text,
		citations: [],
		usage: { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 },
		receipt: [],
		...(error === undefined ? {} : { error }),
	};
	const base = { run_id: runId, seq: lastSeq + 1, at, result };
	return error === undefined ? { ...base, type: "run.cancelled" } : { ...base, type: "run.failed", error };
}
