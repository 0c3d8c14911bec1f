import { readTypedEvents } from "./event-source";
import { applyStart, type ReadRun, toReadRequest } from "./run-source";

/** A run's events as server-sent events. */
export const streamRun: ReadRun = async (run, signal, onEvent) => {
	const request = toReadRequest(run, signal);
	const response = await run.client.open({
		...request,
		accept: "text/event-stream",
		isResumable: true,
		headers: { ...request.headers, "last-event-id": run.seq || undefined },
	});
	// What is answered whole (a run that had ended before it was asked for again) has no events, but names the run.
	if (response.isJson) return applyStart(run, await response.json());
	run.openedAt = Date.now();
	run.requestId ||= response.requestId;
	return readTypedEvents(response, onEvent);
};
