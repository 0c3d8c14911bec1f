import type { CallOptions } from "./call-options";
import type { ServiceRequest, StemmaClient } from "./client";
import type { WireRunEvent } from "./types/run";

/** What is known of a run so far; grows as its events come in. */
export interface RunPlace {
	runId: string | undefined;
	/** Lets a client key rejoin and cancel the run. */
	runToken: string | undefined;
	/** Of the last event that was read. */
	seq: number;
	/** Of the answer that began the run. */
	requestId: string;
}

/**
 * Where the events of one run come from. This is the seam for platforms: one source streams, another asks again and
 * again; whatever reads events knows neither.
 */
export interface RunSource {
	/**
	 * The events after `place.seq` until the connection ends, with repeats perhaps; starts the run while `place` has
	 * none, and always the same one.
	 */
	open(place: RunPlace, connection: RunConnection): Promise<RunEvents>;
	/** Asks to stop the run, which `place` must know. */
	cancel(place: RunPlace): Promise<void>;
}

export type RunEvents = AsyncIterable<WireRunEvent> | Iterable<WireRunEvent>;

export interface RunConnection {
	readonly signal: AbortSignal;
	/** This is not the first connection: whoever reads tries again by itself. */
	readonly isRejoin: boolean;
}

/** The routes of runs: those of the service and of a runtime differ in their paths alone. */
export interface RunRoutes {
	readonly client: StemmaClient;
	/** Starts a run; left out for a run that is there. Its idempotency key is set. */
	readonly start?: ServiceRequest;
	/** Starts the run without an open connection, where that is possible. */
	readonly startInBackground?: ServiceRequest;
	/** `/v1/runs/…` */
	readonly runPath: (runId: string) => string;
	/** Of every request. */
	readonly options: CallOptions;
}

/** One of the run's own routes. */
export function toRunRequest(
	{ runPath, options }: RunRoutes,
	{ runId = "", runToken }: RunPlace,
	action: "events" | "cancel",
): ServiceRequest {
	return {
		method: action === "cancel" ? "POST" : "GET",
		path: `${runPath(runId)}/${action}`,
		headers: runTokenHeader(runToken),
		options,
	};
}

export const runTokenHeader = (runToken: string | undefined): Record<string, string> =>
	runToken === undefined ? {} : { "stemma-run-token": runToken };

/** Takes the `run_token` out of what is printed and sent on: whoever has it can read and stop the run. */
export function hideRunToken(started: object): void {
	if ("run_token" in started)
		Object.defineProperty(started, "run_token", { value: started.run_token, enumerable: false });
}
