import type { CallOptions } from "./call-options";
import type { ServiceRequest, StemmaClient } from "./client";
import { createNoEventError, demandEvent } from "./event-source";
import { pause } from "./follow-run";
import { mergeTimeouts } from "./options";
import { createIdempotencyKey } from "./platform";
import { retryDelay } from "./retry";
import { type FollowedRun, type ReadRun, type RunPlace, takeStart, toReadRequest } from "./run-source";
import { type AgentRunStream, RunStream } from "./run-stream";
import { streamRun } from "./streamed-run";

export interface RunToOpen {
	/** Starts the run; left out for a run that is there. */
	readonly start?: ServiceRequest;
	/** It goes on by itself when it is started with `background`: without a connection, that is. */
	readonly canDetach?: boolean;
	readonly runPath: (runId: string) => string;
	/** The run that is there already, and where to begin reading it. */
	readonly place?: Partial<RunPlace>;
	readonly options: CallOptions | undefined;
}

/** Starts or rejoins a run, in the way that the platform allows. */
export function openRun(
	client: StemmaClient,
	{ start, canDetach, runPath, place, options = {} }: RunToOpen,
): AgentRunStream {
	const { signal, headers, idempotencyKey = createIdempotencyKey() } = options;
	// The stream itself watches the signal and the total time: its requests come and go.
	const { totalMs: _, ...timeouts } = options.timeouts ?? {};
	const run: FollowedRun = {
		client,
		runPath,
		options: { headers, timeouts },
		// One key for all tries: however often the request is sent, one run is started.
		start: start && {
			...start,
			options: { idempotencyKey },
			onSend() {
				run.mayHaveBegun = true;
			},
		},
		read: client.canStream || !canDetach ? streamRun : readByPolls,
		run_id: undefined,
		run_token: undefined,
		seq: 0,
		missed: undefined,
		requestId: "",
		openedAt: 0,
		mayHaveBegun: false,
		...place,
	};
	return new RunStream(run, signal, mergeTimeouts(client.timeouts, options.timeouts));
}

/** Most platforms never need it. */
const readByPolls: ReadRun = async (...run) => {
	const { pollRun } = await import("./polled-run");
	return pollRun({ createNoEventError, demandEvent, pause, retryDelay, takeStart, toReadRequest }, ...run);
};
