import type { CallOptions } from "./call-options";
import type { ServiceRequest, StemmaClient } from "./client";
import { createIdempotencyKey } from "./platform";
import { polledRun } from "./polled-run";
import type { RunPlace, RunRoutes } from "./run-source";
import { type AgentRunStream, createRunStream } from "./run-stream";
import { streamedRun } from "./streamed-run";

export interface RunToOpen {
	/** Starts the run, as a stream. */
	readonly start?: ServiceRequest;
	/** Starts it so that it goes on by itself, where that is possible. */
	readonly startInBackground?: ServiceRequest;
	readonly runPath: (runId: string) => string;
	/** The run that is there already, and where to begin reading it. */
	readonly place?: Partial<RunPlace>;
	readonly options?: CallOptions | undefined;
}

/** Starts or rejoins a run, in the way that the platform allows. */
export function openRun(client: StemmaClient, { place, options = {}, ...run }: RunToOpen): AgentRunStream {
	const { start, startInBackground, runPath } = run;
	const routes: RunRoutes = {
		client,
		runPath,
		options: toInnerOptions(options),
		...(start === undefined ? {} : { start: withKey(start, options) }),
		...(startInBackground === undefined ? {} : { startInBackground: withKey(startInBackground, options) }),
	};
	const canPoll = start === undefined || startInBackground !== undefined;
	return createRunStream({
		client,
		source: !client.canStream && canPoll ? polledRun(routes) : streamedRun(routes),
		place: { runId: undefined, runToken: undefined, seq: 0, requestId: "", ...place },
		options,
	});
}

/** The stream itself watches the signal and the total time: its requests come and go. */
function toInnerOptions({ headers, timeouts = {} }: CallOptions): CallOptions {
	const { totalMs: _, ...perRequest } = timeouts;
	return { headers, timeouts: perRequest };
}

/** One key for all tries: however often the request is sent, one run is started. */
function withKey(request: ServiceRequest, options: CallOptions): ServiceRequest {
	const { idempotencyKey = createIdempotencyKey() } = options;
	return { ...request, options: { ...toInnerOptions(options), idempotencyKey } };
}
