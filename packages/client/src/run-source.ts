import type { CallOptions } from "./call-options";
import type { ServiceRequest, StemmaClient } from "./client";
import type { TakeEvent } from "./event-source";
import type { WireRunEvent } from "./types/run";

/** What is known of a run so far; grows as its events come in. */
export interface RunPlace {
	runId: string | undefined;
	/** Lets a client key rejoin and cancel the run. */
	runToken: string | undefined;
	/** The highest that was read. */
	seq: number;
	/** Those below it that were not. */
	readonly missed: Set<number>;
	/** Of the answer that began the run. */
	requestId: string;
	/** When the last connection was answered, in epoch milliseconds; 0 before the first. */
	openedAt: number;
}

/** A run that is followed. The routes of the service and of a runtime differ in their paths alone. */
export interface FollowedRun extends RunPlace {
	readonly client: StemmaClient;
	/** Starts it; left out for a run that is there. Its idempotency key is set. */
	readonly start: ServiceRequest | undefined;
	/** `/v1/runs/…` */
	readonly runPath: (runId: string) => string;
	/** Of every request. */
	readonly options: CallOptions;
	readonly read: ReadRun;
}

/**
 * Reads the events of a run after `seq` until a connection ends, with repeats perhaps; starts it while its id is not
 * known, and always the same one. This is the seam for platforms: one source streams, another asks again and again;
 * whoever takes events knows neither.
 */
export type ReadRun = (run: FollowedRun, signal: AbortSignal, take: TakeEvent<WireRunEvent>) => Promise<void>;

/** A request for a run's events. Whoever follows it tries again by itself, once it was connected. */
export const toReadRequest = (
	{ options, openedAt }: FollowedRun,
	request: ServiceRequest,
	signal: AbortSignal,
): ServiceRequest => ({
	...request,
	...(openedAt > 0 && { retry: "never" }),
	options: { ...options, ...request.options, signal },
});

/** One of a run's own routes. */
export const toRunRequest = (
	{ runPath, runId = "", runToken, options }: FollowedRun,
	method: "GET" | "POST",
	action: "events" | "cancel",
): ServiceRequest => ({
	method,
	path: `${runPath(runId)}/${action}`,
	headers: runTokenHeader(runToken),
	options,
});

export const runTokenHeader = (runToken: string | undefined): Record<string, string> =>
	runToken === undefined ? {} : { "stemma-run-token": runToken };
