import type { RunCursor } from "./run-cursor";
import type { ConnectionSignal } from "./run-stream-state";

/** The service's or another's way to read a run and to cancel it. */
export interface RunSource {
	/**
	 * Reads the events of a run after `cursor.seq` until a connection ends, with repeats perhaps; starts the run while its
	 * id is not known, and always the same one.
	 */
	read(connection: RunConnection): Promise<void>;
	/** Asks for the end of the run. */
	cancel(cursor: RunCursor): Promise<unknown>;
}

/** One connection to a run, as its stream sees it. */
export interface RunConnection {
	/** Position in the run now. */
	cursor(): RunCursor;
	/** Aborts when nothing more is wanted. */
	readonly signal: AbortSignal;
	/** Reports to the stream. Reading waits for what it returns. @throws StreamError for what is no event. */
	emit(signal: ConnectionSignal<unknown>): Promise<void> | undefined;
	/** Waits before another try, from 1, after what broke the last. An abort ends it early. */
	backOff(attempt: number, error: unknown): Promise<void>;
}
