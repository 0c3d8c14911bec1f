import type { retryDelay } from "../http/retry";
import type { EventPage, StartedRun } from "../types/run";
import type { createInvalidEventError, readEvent } from "./event-source";
import type { sleep } from "./follow-run";
import type { applyStart, ReadRun, toReadRequest } from "./run-source";

/**
 * Dependencies that the caller passes in. This module imports nothing itself, because a bundler would split its imports
 * off from what every page loads.
 */
export interface PollDependencies {
	readonly createInvalidEventError: typeof createInvalidEventError;
	readonly readEvent: typeof readEvent;
	readonly sleep: typeof sleep;
	readonly retryDelay: typeof retryDelay;
	readonly applyStart: typeof applyStart;
	readonly toReadRequest: typeof toReadRequest;
}

/** The longest that the service holds a poll back until there is something to tell. */
const MAX_WAIT_MS = 25_000;
/** Time in milliseconds within which an empty response counts as early: the service did not hold the poll back. */
const EARLY_RESPONSE_MS = 1000;

/**
 * A run's events by long polls, for where nothing gives bodies piece by piece. The run is started in the background: the
 * service would take a run without a stream for one that nobody watches.
 */
export async function pollRun(
	deps: PollDependencies,
	...[run, signal, onEvent]: Parameters<ReadRun>
): Promise<void> {
	const { client, options } = run;
	const headersTimeoutMs = options.timeouts?.headersTimeoutMs ?? client.timeouts.headersTimeoutMs;
	const wait_ms = Math.min(MAX_WAIT_MS, Math.floor(headersTimeoutMs / 2));
	if (run.run_id === undefined) {
		const start = deps.toReadRequest(run, signal);
		const json = { ...start.json, background: true };
		deps.applyStart(run, await client.request<StartedRun>({ ...start, json }));
	}
	for (let isDone = false, emptyPolls = 0; !isDone && !signal.aborted; ) {
		const requestedAt = Date.now();
		const { data, done, requestId } = await client.request<EventPage>({
			...deps.toReadRequest(run, signal),
			query: { after: run.seq, wait_ms },
		});
		run.openedAt = Date.now();
		if (!Array.isArray(data)) throw deps.createInvalidEventError(requestId);
		for (const event of data) await onEvent(deps.readEvent(event, requestId), JSON.stringify(event).length);
		isDone = done;
		const isEarly = !done && data.length === 0 && run.openedAt - requestedAt < EARLY_RESPONSE_MS;
		emptyPolls = isEarly ? emptyPolls + 1 : 0;
		if (isEarly) await deps.sleep(deps.retryDelay(emptyPolls, client.retryDelayMs, undefined), signal);
	}
}
