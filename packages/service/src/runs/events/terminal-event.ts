import type { RunError, RunResult } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import type { RunRow } from "../run-rows";
import type { TerminalEvent } from "./append-events-job";
import { INTERNAL_ERROR } from "./internal-error-event";

/** Reason why a paused run is not resumed. */
export type PausedRunEnd =
	| { readonly status: "cancelled" }
	| { readonly status: "failed"; readonly error: RunError };

/** The last event of a run that waited: what it had done until then. */
export function endPausedRun(
	{ id, last_seq }: Pick<RunRow, "id" | "last_seq">,
	{ approvals: _, ...paused }: RunResult,
	end: PausedRunEnd,
	now: number,
): TerminalEvent {
	const seq = last_seq + 1;
	const event = {
		type: `run.${end.status}`,
		run_id: id,
		seq,
		at: new Date(now).toISOString(),
		...(end.status === "failed" && { error: end.error }),
		result: { ...paused, ...end } satisfies RunResult,
	};
	return { runId: id, seq, event: JSON.stringify(event), status: end.status, endedAt: now };
}

/** Converts the error for which a run could not be resumed to the error of the run. */
export function toRunError(error: unknown): RunError {
	if (!isStemmaError(error)) return INTERNAL_ERROR;
	const { code, message, hint } = error;
	return { code, message, ...(hint !== undefined && { hint }) };
}
