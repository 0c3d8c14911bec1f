import type { ServiceRequest, StemmaClient } from "../client";
import { createIdempotencyKey } from "../http/platform";
import type { CallOptions } from "../options/call-options";
import { mergeTimeouts } from "../options/client-options";
import type { RunCursor } from "./run-cursor";
import { type RunSource, type ServiceRun, toReadRequest, toRunRequest } from "./run-source";
import { type AgentRunStream, ServiceRunStream } from "./run-stream";
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
	{ start, supportsBackground, runPath, cursor = {}, options = {} }: OpenRunOptions,
): AgentRunStream {
	const { signal, headers, idempotencyKey = createIdempotencyKey() } = options;
	// The stream itself watches the signal and the total time: its requests come and go.
	const { timeoutMs: _, ...timeouts } = options.timeouts ?? {};
	const run: ServiceRun = {
		client,
		runPath,
		options: { headers, timeouts },
		// One key for all tries: however often the request is sent, one run is started.
		start: start && { ...start, options: { idempotencyKey } },
	};
	const source: RunSource = {
		async read(connection) {
			if (client.canStream || !supportsBackground) return streamRun(run, connection);
			// Most platforms never need it.
			const { pollRun } = await import("./polled-run");
			return pollRun(run, connection, () => toReadRequest(run, connection));
		},
		cancel: (known) => client.request(toRunRequest(run, known, "POST", "cancel")),
	};
	return new ServiceRunStream(client, source, {
		cursor,
		signal,
		timeouts: mergeTimeouts(client.timeouts, options.timeouts),
	});
}
