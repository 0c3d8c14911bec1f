import type { WireRunEvent } from "@stemma/client";
import type { RunError, RunResult } from "@stemma/core";

/** Outcome of a run that ends without an event of its own. */
export type RunEnd =
	| { readonly status: "cancelled" }
	| { readonly status: "failed"; readonly error: RunError };

/** State of a run that ends without an event of its own. */
export interface UnfinishedRun {
	readonly runId: string;
	/** Sequence number of its last event; 0 for none. */
	readonly lastSeq: number;
	/** Result so far, as far as it is known: that of the last pause, for example. */
	readonly done?: Partial<RunResult> | undefined;
}

/** Terminal event of a run whose source ended without one, at `now` in epoch milliseconds. */
export function createTerminalEvent(
	{ runId, lastSeq, done = {} }: UnfinishedRun,
	end: RunEnd,
	now: number,
): WireRunEvent {
	const { approvals: _, ...kept } = done;
	const result: RunResult = {
		output: null,
		citations: [],
		usage: { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 },
		receipt: [],
		...kept,
		run_id: runId,
		...end,
	};
	const base = { run_id: runId, seq: lastSeq + 1, at: new Date(now).toISOString() };
	return end.status === "cancelled"
		? { type: "run.cancelled", ...base, result }
		: { type: "run.failed", ...base, error: end.error, result };
}
