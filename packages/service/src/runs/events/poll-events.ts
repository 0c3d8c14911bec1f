import type { EventRecord } from "@stemma/runs";
import type { Runs } from "../runs";

/** Options of a long poll for events of a run. */
export interface PollOptions {
	readonly after: number;
	/** Time to wait for an event where there is none yet; 0 to not wait. */
	readonly waitMs: number;
	readonly signal: AbortSignal;
	/** Filter for the events to return. */
	readonly select: (events: readonly EventRecord[]) => readonly EventRecord[];
}

/** The events after a seq; where there are none yet, the next ones. */
export async function pollEvents(
	runs: Pick<Runs, "watch">,
	runId: string,
	{ after, waitMs, signal, select }: PollOptions,
): Promise<readonly EventRecord[]> {
	const polling = new AbortController();
	const stopPolling = (): void => polling.abort();
	const timer = setTimeout(stopPolling, waitMs);
	signal.addEventListener("abort", stopPolling);
	try {
		for await (const events of runs.watch(runId, after, polling.signal)) {
			const selected = select(events);
			if (selected.length > 0) return selected;
		}
		return [];
	} finally {
		clearTimeout(timer);
		signal.removeEventListener("abort", stopPolling);
	}
}
