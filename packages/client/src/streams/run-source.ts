import type { ServiceRequest, StemmaClient } from "../client";
import { createInvalidResponseError } from "../errors/invalid-response";
import type { CallOptions, WithRequestId } from "../options/call-options";
import type { WireRunEvent } from "../types/run";
import type { EventHandler } from "./event-source";

/** Known state of a run so far; updated as its events arrive. */
export interface RunCursor {
	run_id: string | undefined;
	/** Lets a client key rejoin and cancel the run. */
	run_token: string | undefined;
	/** The highest that was read. */
	seq: number;
	/** Sequence numbers below `seq` that were not read. */
	missingSeqs: Set<number> | undefined;
	/** Request id of the answer that began the run. */
	requestId: string;
	/** Time at which the last connection was answered, in epoch milliseconds; 0 before the first. */
	openedAt: number;
	/** True once the start was sent and not refused before anything began. */
	mayHaveStarted: boolean;
}

/** A run that is followed. The routes of the service and of a runtime differ in their paths alone. */
export interface FollowedRun extends RunCursor {
	readonly client: StemmaClient;
	/** Starts it, while its id is not known; what it is given may be long. Its idempotency key is set. */
	start: ServiceRequest | undefined;
	/** `/v1/runs/…` */
	readonly runPath: (runId: string) => string;
	/** Options of every request. */
	readonly options: CallOptions;
	readonly read: ReadRun;
}

/**
 * Reads the events of a run after `seq` until a connection ends, with repeats perhaps; starts it while its id is not
 * known, and always the same one. This is the seam for platforms: one source streams, another asks again and again;
 * whoever takes events knows neither.
 */
export type ReadRun = (
	run: FollowedRun,
	signal: AbortSignal,
	onEvent: EventHandler<WireRunEvent>,
) => Promise<void>;

/** Asks for a run's events, or starts it while its id is not known. Whoever follows it tries again by itself. */
export function toReadRequest(run: FollowedRun, signal: AbortSignal): ServiceRequest {
	const request = run.start ?? toRunRequest(run, "GET", "events");
	return { ...request, retry: "never", options: { ...run.options, ...request.options, signal } };
}

/** One of a run's own routes. */
export const toRunRequest = (
	{ runPath, run_id = "", run_token, options }: FollowedRun,
	method: "GET" | "POST",
	action: "events" | "cancel",
): ServiceRequest => ({
	method,
	path: `${runPath(run_id)}/${action}`,
	headers: { "stemma-run-token": run_token },
	options,
});

/**
 * Response to a start that is no stream: the record of a run in the background, or the result of one that has ended.
 */
interface StartResponse {
	readonly id?: unknown;
	readonly run_id?: unknown;
	readonly run_token?: string;
}

/** @throws ApiError for an answer that names no run. */
export function applyStart(
	run: FollowedRun,
	{ run_id, id = run_id, run_token, requestId }: WithRequestId<StartResponse>,
): void {
	if (!isRunId(id))
		throw createInvalidResponseError("The answer does not name the run.", { status: 200, requestId });
	run.run_id ??= id;
	run.start = undefined;
	run.run_token ??= run_token;
	run.requestId ||= requestId;
	run.openedAt = Date.now();
}

/** Paths are made of it. */
export const isRunId = (value: unknown): value is string => typeof value === "string" && /[^.]/.test(value);
