import type { RunError, RunResult } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import type { RunEnd } from "./append-events-job";
import { BROKEN } from "./broken-run";
import type { RunRow } from "./run-rows";

/** Why a run that waited for a person goes on no more. */
export type WaitingRunEnd =
	| { readonly status: "cancelled" }
	| { readonly status: "failed"; readonly error: RunError };

/** The last event of a run that waited: what it had done until then. */
export function endWaitingRun(
	{ id, last_seq }: Pick<RunRow, "id" | "last_seq">,
	{ approvals: _, ...paused }: RunResult,
	end: WaitingRunEnd,
	now: number,
): RunEnd {
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

/** What is told of an error that a run could not be continued for. */
export function toEndError(error: unknown): RunError {
	if (!isStemmaError(error)) return BROKEN;
	const { code, message, hint } = error;
	return { code, message, ...(hint !== undefined && { hint }) };
}
