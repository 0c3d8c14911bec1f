import type { OpenAnswer } from "./client";
import { readTypedEvents } from "./event-source";
import { type RunPlace, type RunRoutes, type RunSource, toRunRequest } from "./run-source";
import type { WireRunEvent } from "./types/run";

/** A run's events as server-sent events over `fetch`. */
export function streamedRun(routes: RunRoutes): RunSource {
	const { client, start } = routes;
	return {
		async open(place, { signal, isRejoin }) {
			const request =
				place.runId === undefined && start !== undefined ? start : toRunRequest(routes, place, "events");
			const answer = await client.open({
				...request,
				accept: "text/event-stream",
				headers: { ...request.headers, ...(place.seq > 0 ? { "last-event-id": String(place.seq) } : {}) },
				...(isRejoin ? { retry: "never" } : {}),
				options: { ...request.options, signal },
			});
			place.requestId ||= answer.requestId;
			return answer.isJson ? learnRun(answer, place) : readTypedEvents<WireRunEvent>(answer);
		},
		async cancel(place) {
			await client.request(toRunRequest(routes, place, "cancel"));
		},
	};
}

/** What is answered whole (a run that had ended before it was asked for again) has no events, but names the run: rejoin it. */
async function learnRun(answer: OpenAnswer, place: RunPlace): Promise<readonly WireRunEvent[]> {
	const { run_id, run_token } = await answer.json<{ run_id?: string; run_token?: string }>();
	place.runId ??= run_id;
	place.runToken ??= run_token;
	return [];
}
