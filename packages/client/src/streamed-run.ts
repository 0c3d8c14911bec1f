import { readTypedEvents } from "./event-source";
import { type ReadRun, takeStart, toReadRequest } from "./run-source";

/** A run's events as server-sent events. */
export const streamRun: ReadRun = async (run, signal, take) => {
	const request = toReadRequest(run, signal);
	const answer = await run.client.open({
		...request,
		accept: "text/event-stream",
		mayBeLeft: true,
		headers: { ...request.headers, "last-event-id": run.seq || undefined },
	});
	// What is answered whole (a run that had ended before it was asked for again) has no events, but names the run.
	if (answer.isJson) return takeStart(run, await answer.json());
	run.openedAt = Date.now();
	run.requestId ||= answer.requestId;
	return readTypedEvents(answer, take);
};
