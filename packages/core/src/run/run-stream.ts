import type { RunEvent } from "./run-event";
import type { RunResult } from "./run-result";

/**
 * A run under way. Read its events once with `for await`; leaving the loop detaches, and the run goes on. The last event
 * is `run.completed`, `run.failed`, `run.cancelled` or `run.paused`.
 */
export interface RunStream extends AsyncIterable<RunEvent> {
	/**
	 * The end of the run: completed, paused and cancelled resolve, with `status`.
	 *
	 * @throws RunFailedError for a failed run.
	 */
	result(): Promise<RunResult>;
	/** The answer as text, without events; JSON output as compact text. Fails as `result` does. */
	text(): Promise<string>;
	/** Stops the run; what is under way is aborted. */
	cancel(): void;
	/** Stops reading; the run goes on. */
	close(): void;
}
