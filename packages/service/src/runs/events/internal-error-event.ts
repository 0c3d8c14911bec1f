import type { WireRunEvent } from "@stemma/client";
import type { RunError, RunResult } from "@stemma/core";
import type { TerminalEvent } from "./append-events-job";

/** Error of a run that broke without a terminal event. */
export const INTERNAL_ERROR: RunError = {
	code: "internal_error",
	message: "Something went wrong in the service.",
	hint: "This is a mistake of the service, not yours. Its log has more.",
};

/** The last event of a run that broke without one. */
export function toInternalErrorEvent(runId: string, seq: number, now: number): TerminalEvent {
	const usage = { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 0 };
	const result: RunResult = {
		run_id: runId,
		status: "failed",
		output: null,
		citations: [],
		usage,
		receipt: [],
		error: INTERNAL_ERROR,
	};
	const at = new Date(now).toISOString();
	const event: WireRunEvent = { type: "run.failed", run_id: runId, seq, at, error: INTERNAL_ERROR, result };
	return { runId, seq, event: JSON.stringify(event), status: "failed", endedAt: now };
}
