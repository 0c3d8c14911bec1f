import { readTypedEvents } from "./event-source";
import { type ReadRun, toReadRequest, toRunRequest } from "./run-source";

/** A run's events as server-sent events. */
export const streamRun: ReadRun = async (run, signal, take) => {
	const request = (run.runId === undefined && run.start) || toRunRequest(run, "GET", "events");
	const answer = await run.client.open({
		...toReadRequest(run, request, signal),
		accept: "text/event-stream",
		mayBeLeft: true,
		headers: { ...request.headers, ...(run.seq > 0 && { "last-event-id": String(run.seq) }) },
	});
	run.openedAt = Date.now();
	run.requestId ||= answer.requestId;
	if (!answer.isJson) return readTypedEvents(answer, take);
	// What is answered whole (a run that had ended before it was asked for again) has no events, but names the run.
	const { run_id, run_token } = await answer.json<{ run_id?: string; run_token?: string }>();
	run.runId ??= run_id;
	run.runToken ??= run_token;
};
