import type { WireRunEvent } from "@stemma/client";
import type { RunError, RunResult } from "@stemma/core";
import { clock } from "@stemma/core/internal";

/** State of a run that ends without an event of its own. */
export interface UnfinishedRun {
	readonly id: string;
	readonly lastSeq: number;
	/** The final text so far. */
	readonly text: string;
	/** Result of the last pause. */
	readonly paused: RunResult | undefined;
}

const EMPTY_RESULT: Pick<RunResult, "output" | "citations" | "usage" | "receipt"> = {
	output: null,
	citations: [],
	usage: { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 },
	receipt: [],
};

/** The last event of a run whose source ended without one: failed for a reason, or cancelled. */
export function createTerminalEvent(
	{ id, lastSeq, text, paused }: UnfinishedRun,
	error: RunError | undefined,
): WireRunEvent {
	const { output, citations, usage, receipt } = paused ?? EMPTY_RESULT;
	const result: RunResult = {
		run_id: id,
		status: error === undefined ? "cancelled" : "failed",
		output: text === "" ? output : text,
		citations,
		usage,
		receipt,
		...(error === undefined ? {} : { error }),
	};
	const base = { run_id: id, seq: lastSeq + 1, at: new Date(clock.now()).toISOString(), result };
	return error === undefined ? { ...base, type: "run.cancelled" } : { ...base, type: "run.failed", error };
}
