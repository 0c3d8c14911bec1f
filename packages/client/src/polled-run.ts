import { createNoEventError, demandEvent } from "./event-source";
import { type ReadRun, toReadRequest, toRunRequest } from "./run-source";
import type { EventPage, StartedRun } from "./types/run";

/** The longest that the service holds a poll back until there is something to tell. */
const LONGEST_WAIT_MS = 25_000;

/**
 * A run's events by long polls, for where nothing gives bodies piece by piece. The run is started in the background: the
 * service would take a run without a stream for one that nobody watches.
 */
export const pollRun: ReadRun = async (run, signal, take) => {
	const { client, start, options } = run;
	const responseMs = options.timeouts?.responseMs ?? client.timeouts.responseMs;
	const waitMs = Math.min(LONGEST_WAIT_MS, Math.floor(responseMs / 2));
	if (run.runId === undefined && start !== undefined) {
		const request = { ...start, json: { ...start.json, background: true } };
		const started = await client.request<StartedRun>(toReadRequest(run, request, signal));
		run.runId = started.id;
		run.runToken = started.run_token;
		run.requestId = started.requestId;
		run.openedAt = Date.now();
	}
	for (let isDone = false; !isDone && !signal.aborted; ) {
		const { data, done, requestId } = await client.request<EventPage>({
			...toReadRequest(run, toRunRequest(run, "GET", "events"), signal),
			query: { after: run.seq, wait_ms: waitMs },
		});
		run.openedAt = Date.now();
		if (!Array.isArray(data)) throw createNoEventError(requestId);
		for (const event of data) await take(demandEvent(event, requestId), JSON.stringify(event).length);
		isDone = done;
	}
};
