import type { ServiceRequest, StemmaClient } from "../client";
import type { EventPage, StartedRun } from "../types/run";
import type { RunConnection } from "./run-source";

/** Time that a poll asks the service to wait until there is something to tell: the longest that it grants. */
const POLL_WAIT_MS = 25_000;
/** Time in milliseconds within which an empty response counts as early: the service did not hold the poll back. */
const EARLY_RESPONSE_MS = 1000;

/**
 * A run's events by long polls, for where nothing gives bodies piece by piece. The run is started in the background: the
 * service would take a run without a stream for one that nobody watches.
 *
 * @param toRequest - the next request: the start while the run's id is not known.
 */
export async function pollRun(
	client: StemmaClient,
	connection: RunConnection,
	toRequest: () => ServiceRequest,
): Promise<void> {
	const { timeouts } = toRequest().options ?? {};
	const headersTimeoutMs = timeouts?.headersTimeoutMs ?? client.timeouts.headersTimeoutMs;
	const wait_ms = Math.min(POLL_WAIT_MS, Math.floor(headersTimeoutMs / 2));
	if (connection.cursor().run_id === undefined) {
		const start = toRequest();
		const started = await client.request<StartedRun>({ ...start, json: { ...start.json, background: true } });
		connection.emit({ type: "opened", requestId: started.requestId, start: started });
	}
	for (let isDone = false, emptyPolls = 0; !isDone && !connection.signal.aborted; ) {
		const requestedAt = Date.now();
		const { data, done, requestId } = await client.request<EventPage>({
			...toRequest(),
			query: { after: connection.cursor().seq, wait_ms },
		});
		connection.emit({ type: "opened", requestId });
		// What is no list is no event either.
		for (const event of Array.isArray(data) ? data : [data])
			await connection.emit({ type: "event", event, length: JSON.stringify(event)?.length, requestId });
		isDone = done;
		const isEarly = !done && data.length === 0 && Date.now() - requestedAt < EARLY_RESPONSE_MS;
		emptyPolls = isEarly ? emptyPolls + 1 : 0;
		if (isEarly) await connection.backOff(emptyPolls, undefined);
	}
}
