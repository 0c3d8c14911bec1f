import { setTimeout as wait } from "node:timers/promises";
import type { Api, StreamedEvent } from "../service/api.ts";
import type { Cluster } from "./cluster.ts";
import type { RunLoad, SeenRun } from "./run-load.ts";

const ENDS = ["run.completed", "run.failed", "run.cancelled", "run.paused"];

/** Watches a run as it happens, each time a few events on an instance that is not the last one, to its end. */
export async function rejoinElsewhere(load: RunLoad, { id, events }: SeenRun): Promise<void> {
	const { cluster, random } = load;
	let last: string | undefined;
	for (;;) {
		const url = random.pick(cluster.urls.filter((other) => other !== last));
		if (url === undefined) {
			await wait(50);
			continue;
		}
		const after = events.length;
		await cluster.trySend(url, (api) => readStream(api, id, { events, count: random.between(1, 6) }));
		if (after > 0 && events.length > after) load.rejoined += 1;
		if (ENDS.includes(events.at(-1)?.type ?? "")) return;
		// It may have been cut off before it had any event.
		if (events.length > after) last = url;
	}
}

/** Reads a run on an instance, after an event of it. Returns undefined where that instance is gone meanwhile. */
export async function readAfter(
	cluster: Cluster,
	url: string,
	{ id, after, count }: { readonly id: string; readonly after: number; readonly count: number },
): Promise<readonly StreamedEvent[] | undefined> {
	const events: StreamedEvent[] = [];
	const read = await cluster.trySend(url, (api) => readStream(api, id, { events, count, after }));
	return read === undefined ? undefined : events;
}

/** Events that are there already, to which others are added. */
interface ReadOptions {
	readonly events: StreamedEvent[];
	/** Number of events after which the stream is left. */
	readonly count: number;
	/** Default: the last of the events. */
	readonly after?: number;
}

async function readStream(
	api: Api,
	id: string,
	{ events, count, after = events.length }: ReadOptions,
): Promise<void> {
	const leaving = new AbortController();
	const enough = events.length + count;
	await api.rejoin(`/v1/runs/${id}/events`, {
		lastEventId: after,
		signal: leaving.signal,
		onEvent({ run_token: _, ...event }) {
			if (events.length === enough) return;
			events.push(event);
			if (events.length === enough) leaving.abort();
		},
	});
}
