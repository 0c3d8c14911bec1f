import {
	type RunConnection,
	type RunPlace,
	type RunRoutes,
	type RunSource,
	toRunRequest,
} from "./run-source";
import { streamedRun } from "./streamed-run";
import type { EventPage, StartedRun, WireRunEvent } from "./types/run";

/** The longest that the service holds a poll back until there is something to tell. */
const LONGEST_WAIT_MS = 25_000;

/**
 * A run's events by long polls, for where `fetch` cannot stream. The run is started in the background: the service would
 * take a run without a stream for one that nobody watches.
 */
export function polledRun(routes: RunRoutes): RunSource {
	const { client, startInBackground } = routes;
	const responseMs = routes.options.timeouts?.responseMs ?? client.timeouts.responseMs;
	const waitMs = Math.min(LONGEST_WAIT_MS, Math.floor(responseMs / 2));

	async function start(place: RunPlace, { signal }: RunConnection): Promise<void> {
		if (place.runId !== undefined || startInBackground === undefined) return;
		const { options } = startInBackground;
		const started = await client.request<StartedRun>({
			...startInBackground,
			options: { ...options, signal },
		});
		place.runId = started.id;
		place.runToken = started.run_token;
		place.requestId = started.requestId;
	}

	async function poll(place: RunPlace, { signal, isRejoin }: RunConnection): Promise<EventPage> {
		const request = toRunRequest(routes, place, "events");
		return client.request<EventPage>({
			...request,
			query: { after: place.seq, wait_ms: waitMs },
			...(isRejoin ? { retry: "never" } : {}),
			options: { ...request.options, signal },
		});
	}

	async function* pollAll(place: RunPlace, connection: RunConnection): AsyncGenerator<WireRunEvent> {
		for (;;) {
			const { data, done } = await poll(place, connection);
			yield* data;
			if (done) return;
		}
	}

	return {
		async open(place, connection) {
			await start(place, connection);
			return pollAll(place, connection);
		},
		cancel: streamedRun(routes).cancel,
	};
}
