import type { ServiceRequest, StemmaClient } from "../client";
import { createIdempotencyKey } from "../http/platform";
import { retryDelay } from "../http/retry";
import type { CallOptions } from "../options/call-options";
import { mergeTimeouts } from "../options/client-options";
import { createInvalidEventError, readEvent } from "./event-source";
import { sleep } from "./follow-run";
import { applyStart, type FollowedRun, type ReadRun, type RunCursor, toReadRequest } from "./run-source";
import { type AgentRunStream, RunStream } from "./run-stream";
import { streamRun } from "./streamed-run";

/** Run to start or to rejoin, in the way that the platform allows. */
export interface OpenRunOptions {
	/** Starts the run; left out for a run that is there. */
	readonly start?: ServiceRequest;
	/** True where a run that is started with `background` goes on by itself, without a connection. */
	readonly supportsBackground?: boolean;
	readonly runPath: (runId: string) => string;
	/** The run that is there already, and where to begin reading it. */
	readonly cursor?: Partial<RunCursor>;
	readonly options: CallOptions | undefined;
}

/** Starts or rejoins a run, in the way that the platform allows. */
export function openRun(
	client: StemmaClient,
	{ start, supportsBackground, runPath, cursor, options = {} }: OpenRunOptions,
): AgentRunStream {
	const { signal, headers, idempotencyKey = createIdempotencyKey() } = options;
	// The stream itself watches the signal and the total time: its requests come and go.
	const { timeoutMs: _, ...timeouts } = options.timeouts ?? {};
	const run: FollowedRun = {
		client,
		runPath,
		options: { headers, timeouts },
		// One key for all tries: however often the request is sent, one run is started.
		start: start && {
			...start,
			options: { idempotencyKey },
			onSend() {
				run.mayHaveStarted = true;
			},
		},
		read: client.canStream || !supportsBackground ? streamRun : readByPolls,
		run_id: undefined,
		run_token: undefined,
		seq: 0,
		missingSeqs: undefined,
		requestId: "",
		openedAt: 0,
		mayHaveStarted: false,
		...cursor,
	};
	return new RunStream(run, signal, mergeTimeouts(client.timeouts, options.timeouts));
}

/** Most platforms never need it. */
const readByPolls: ReadRun = async (...run) => {
	const { pollRun } = await import("./polled-run");
	return pollRun(
		{ createInvalidEventError, readEvent, sleep, retryDelay, applyStart, toReadRequest },
		...run,
	);
};
