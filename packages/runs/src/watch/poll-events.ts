import type { EventRecord } from "../store/event-record";

/** Options of a long poll for events of a run. */
export interface PollOptions {
	/** Time to wait for an event where there is none yet; 0 to not wait. */
	readonly waitMs: number;
	/** Ends the wait. */
	readonly signal: AbortSignal;
	/** Filter for the events to return. Default: all. */
	readonly select?: (events: readonly EventRecord[]) => readonly EventRecord[];
}

/** Reads the next events of a watched run: those that are there, or the first that come. */
export async function pollEvents(
	watch: (signal: AbortSignal) => AsyncIterable<readonly EventRecord[]>,
	{ waitMs, signal, select = (events) => events }: PollOptions,
): Promise<readonly EventRecord[]> {
	const polling = new AbortController();
	const stopPolling = (): void => polling.abort();
	const timer = setTimeout(stopPolling, waitMs);
	signal.addEventListener("abort", stopPolling);
	try {
		for await (const events of watch(polling.signal)) {
			const selected = select(events);
			if (selected.length > 0) return selected;
		}
		return [];
	} finally {
		clearTimeout(timer);
		signal.removeEventListener("abort", stopPolling);
	}
}
