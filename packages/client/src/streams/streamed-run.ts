import { readJsonEvents } from "./event-source";
import { type RunConnection, type ServiceRun, toReadRequest } from "./run-source";
import type { StartResponse } from "./run-stream-state";

/** A run's events as server-sent events. */
export async function streamRun(run: ServiceRun, connection: RunConnection): Promise<void> {
	const request = toReadRequest(run, connection);
	const response = await run.client.open({
		...request,
		accept: "text/event-stream",
		isResumable: true,
		headers: { ...request.headers, "last-event-id": connection.cursor().seq || undefined },
	});
	// What is answered whole (a run that had ended before it was asked for again) has no events, but names the run.
	const { requestId } = response;
	const start = response.isJson ? await response.json<StartResponse>() : undefined;
	connection.emit({ type: "opened", requestId, ...(start && { start }) });
	if (start !== undefined) return;
	return readJsonEvents(response, (event, length) => {
		const handled = connection.emit({ type: "event", event, length, requestId });
		run.start = undefined;
		return handled;
	});
}
