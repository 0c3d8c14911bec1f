import type { RunResult, RunStatus } from "@stemma/core";
import { RunFailedError } from "@stemma/core/errors";
import { EXIT_INTERRUPTED } from "./interrupt";
import type { RunRenderer } from "./render/render-run";
import { reportError } from "./report-error";
import type { Terminal } from "./terminal";

/** Exit code of a run that waits for approvals that nobody gave. */
const EXIT_PAUSED = 3;

/** Exit codes of commands that run an agent. */
export const RUN_EXIT_CODES: Readonly<Record<RunStatus, number>> = {
	completed: 0,
	paused: EXIT_PAUSED,
	failed: 1,
	cancelled: EXIT_INTERRUPTED,
};

/** Result of a run, also of one that failed. */
export async function toRunResult<Result extends RunResult>(
	result: Promise<Result>,
): Promise<Result | RunResult> {
	try {
		return await result;
	} catch (error) {
		if (RunFailedError.is(error)) return error.result;
		throw error;
	}
}

/** Writes the end of a run for a person. */
export function renderRunEnd(terminal: Terminal, renderer: RunRenderer, result: RunResult): void {
	renderer.onEnd(result);
	if (result.status === "failed") reportError(terminal, new RunFailedError(result));
	if (result.status === "cancelled") terminal.stderr.write("Cancelled.\n");
}
