import type { WireRunEvent } from "@stemma/client";
import { eventStream } from "../http/event-stream";
import type { ServiceContext } from "../http/service-app";
import { findRun, type RunRow, readResult } from "./run-rows";
import { createRunToken } from "./run-token";
import { toVisibleEvent, toVisibleResult, visibilityOf } from "./visibility";

/** The events of a run after a seq, as a stream that ends with the run, or when it pauses. */
export function respondWithEvents(context: ServiceContext, { id }: RunRow, after: number): Response {
	const { runs } = context.get("workspace");
	return eventStream(context, async (send, signal) => {
		for await (const events of runs.watch(id, after, signal))
			for (const event of toVisibleEvents(context, events))
				await send({ id: event.seq, event: event.type, data: event });
	});
}

/** The events that this caller sees; the first carries the token. */
export function toVisibleEvents(context: ServiceContext, events: readonly WireRunEvent[]): WireRunEvent[] {
	const visibility = visibilityOf(context.get("caller"));
	return events.flatMap((event): WireRunEvent[] => {
		const visible = toVisibleEvent(event, visibility);
		if (visible === undefined) return [];
		if (visible.type !== "run.started") return [visible];
		const run_token = createRunToken(event.run_id, context.get("kernel").fingerprint);
		const started: WireRunEvent = { ...visible, run_token };
		return [started];
	});
}

/** Status for the log of a request whose client has disconnected; no client receives it. */
const CLIENT_DISCONNECTED = 408;

/** The result of a run, once it has ended or paused. Whoever waits for it watches: leaving does not stop the run. */
export async function respondWithResult(context: ServiceContext, { id }: RunRow): Promise<Response> {
	const { runs, database } = context.get("workspace");
	const { fingerprint } = context.get("kernel");
	const { signal } = context.req.raw;
	await runs.waitUntilSettled(id, signal);
	if (signal.aborted) return context.body(null, CLIENT_DISCONNECTED);
	const row = await findRun(database, id);
	const result = row === undefined ? undefined : await readResult(database, row);
	if (result === undefined) throw new Error("The run has ended without a result.");
	const visible = toVisibleResult(result, visibilityOf(context.get("caller")));
	return context.json({ ...visible, run_token: createRunToken(id, fingerprint) });
}
