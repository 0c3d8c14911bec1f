import type { WireRunEvent } from "@stemma/client";
import type { RunError } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import { type LoggedEvent, toEventRecord } from "@stemma/runs";

/** Terminal event of a run that the service made, ready for the log. */
export interface TerminalEntry extends LoggedEvent {
	readonly status: "cancelled" | "failed";
}

/** Writes a terminal event, which happens now, for the log. */
export const toTerminalEntry = (event: WireRunEvent): TerminalEntry => ({
	...toEventRecord(event),
	runId: event.run_id,
	status: event.type === "run.cancelled" ? "cancelled" : "failed",
	endedAt: Date.parse(event.at),
});

/** Error of a run that broke without a terminal event. */
export const INTERNAL_ERROR: RunError = {
	code: "internal_error",
	message: "Something went wrong in the service.",
	hint: "This is an error of the service, not yours. The service's log has the details.",
};

/** Converts the error for which a run could not be resumed to the error of the run. */
export function toRunError(error: unknown): RunError {
	if (!isStemmaError(error)) return INTERNAL_ERROR;
	const { code, message, hint } = error;
	return { code, message, ...(hint !== undefined && { hint }) };
}
