import type { StemmaClient } from "../client";
import { createIdempotencyKey } from "../http/platform";
import type { CallOptions } from "../options/call-options";
import { mergeTimeouts } from "../options/client-options";
import type { RunCursor } from "./run-cursor";
import { type AgentRunStream, ServiceRunStream } from "./run-stream";
import { ServiceRun, type ServiceRunOptions } from "./service-run";

/** Run to start or to rejoin, with the options of the call. */
export interface OpenRunOptions extends Omit<ServiceRunOptions, "options"> {
	/** The run that is there already, and where to begin reading it. */
	readonly cursor?: Partial<RunCursor>;
	readonly options: CallOptions | undefined;
}

/** Starts or rejoins a run. */
export function openRun(
	client: StemmaClient,
	{ start, cursor = {}, options = {}, ...run }: OpenRunOptions,
): AgentRunStream {
	const { signal, headers, idempotencyKey = createIdempotencyKey() } = options;
	// The stream itself watches the signal and the total time: its requests come and go.
	const { timeoutMs: _, ...timeouts } = options.timeouts ?? {};
	const source = new ServiceRun(client, {
		...run,
		options: { headers, timeouts },
		// One key for all tries: however often the request is sent, one run is started.
		start: start && { ...start, options: { idempotencyKey } },
	});
	return new ServiceRunStream(client, source, {
		cursor,
		signal,
		timeouts: mergeTimeouts(client.timeouts, options.timeouts),
	});
}
