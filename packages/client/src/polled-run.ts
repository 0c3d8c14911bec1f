import type { createNoEventError, demandEvent } from "./event-source";
import type { pause } from "./follow-run";
import type { retryDelay } from "./retry";
import type { ReadRun, takeStart, toReadRequest } from "./run-source";
import type { EventPage, StartedRun } from "./types/run";

/** What it needs of the rest. It imports nothing: that would be split off from what every page loads. */
export interface PollTools {
	readonly createNoEventError: typeof createNoEventError;
	readonly demandEvent: typeof demandEvent;
	readonly pause: typeof pause;
	readonly retryDelay: typeof retryDelay;
	readonly takeStart: typeof takeStart;
	readonly toReadRequest: typeof toReadRequest;
}

/** The longest that the service holds a poll back until there is something to tell. */
const LONGEST_WAIT_MS = 25_000;
/** Who tells so soon that there is nothing did not hold it back. */
const EARLY_MS = 1000;

/**
 * A run's events by long polls, for where nothing gives bodies piece by piece. The run is started in the background: the
 * service would take a run without a stream for one that nobody watches.
 */
export async function pollRun(tools: PollTools, ...[run, signal, take]: Parameters<ReadRun>): Promise<void> {
	const { client, options } = run;
	const responseMs = options.timeouts?.responseMs ?? client.timeouts.responseMs;
	const wait_ms = Math.min(LONGEST_WAIT_MS, Math.floor(responseMs / 2));
	if (run.run_id === undefined) {
		const start = tools.toReadRequest(run, signal);
		const json = { ...start.json, background: true };
		tools.takeStart(run, await client.request<StartedRun>({ ...start, json }));
	}
	for (let isDone = false, empty = 0; !isDone && !signal.aborted; ) {
		const askedAt = Date.now();
		const { data, done, requestId } = await client.request<EventPage>({
			...tools.toReadRequest(run, signal),
			query: { after: run.seq, wait_ms },
		});
		run.openedAt = Date.now();
		if (!Array.isArray(data)) throw tools.createNoEventError(requestId);
		for (const event of data) await take(tools.demandEvent(event, requestId), JSON.stringify(event).length);
		isDone = done;
		const isEarly = !done && data.length === 0 && run.openedAt - askedAt < EARLY_MS;
		empty = isEarly ? empty + 1 : 0;
		if (isEarly) await tools.pause(tools.retryDelay(empty, client.retryDelayMs, undefined), signal);
	}
}
