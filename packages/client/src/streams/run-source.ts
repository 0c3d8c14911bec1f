import type { ServiceRequest, StemmaClient } from "../client";
import type { CallOptions } from "../options/call-options";
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

/** A run of the service or of a runtime: their routes differ in their paths alone. */
export interface ServiceRun {
	readonly client: StemmaClient;
	/** Starts it, while its id is not known; let go then, as what it is given may be long. Its idempotency key is set. */
	start: ServiceRequest | undefined;
	/** `/v1/runs/…` */
	readonly runPath: (runId: string) => string;
	/** Options of every request. */
	readonly options: CallOptions;
}

/** Asks for a run's events, or starts it while its id is not known. Whoever follows it tries again by itself. */
export function toReadRequest(run: ServiceRun, { cursor, signal, emit }: RunConnection): ServiceRequest {
	const request =
		cursor().run_id === undefined && run.start !== undefined
			? { ...run.start, onSend: () => void emit({ type: "sent" }) }
			: toRunRequest(run, cursor(), "GET", "events");
	return { ...request, retry: "never", options: { ...run.options, ...request.options, signal } };
}

/** One of a run's own routes. */
export const toRunRequest = (
	{ runPath, options }: ServiceRun,
	{ run_id = "", run_token }: RunCursor,
	method: "GET" | "POST",
	action: "events" | "cancel",
): ServiceRequest => ({
	method,
	path: `${runPath(run_id)}/${action}`,
	headers: { "stemma-run-token": run_token },
	options,
});
