import type { LoggedEvent } from "@stemma/runs";

/** Last event of each run. An event that ends a run is its last, so its status is the one that counts. */
export const listLastEvents = (events: readonly LoggedEvent[]): Iterable<LoggedEvent> =>
	new Map(events.map((event) => [event.runId, event])).values();
