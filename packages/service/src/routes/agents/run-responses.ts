import { formatRecord } from "@stemma/protocol";
import { type EventRecord, parseEvent } from "@stemma/runs";
import type { Fingerprint } from "../../auth/fingerprint";
import { eventStream } from "../../http/event-stream";
import type { ServiceContext } from "../../http/service-context";
import { findRun, type RunRow, readResult } from "../../runs/run-rows";
import { createRunToken } from "../../runs/run-token";
import { toVisibleRecord, toVisibleResult, type Visibility, visibilityOf } from "../../runs/visibility";

/** The events of a run after a seq, as a stream that ends with the run, or when it pauses. */
export function respondWithEvents(context: ServiceContext, { id }: RunRow, after: number): Response {
	const { runs } = context.get("workspace");
	return eventStream(context, async (send, signal) => {
		for await (const events of runs.watch(id, after, signal)) {
			const bytes = toEventBytes(context, events);
			if (bytes.length > 0) await send(bytes);
		}
	});
}

const encoder = new TextEncoder();
/** Bytes of batches of events, by who sees them: all who watch a run are sent the same. */
const sentBytes = new WeakMap<readonly EventRecord[], Map<Visibility, Uint8Array>>();

/** The events that this caller sees, as `text/event-stream`. */
function toEventBytes(context: ServiceContext, events: readonly EventRecord[]): Uint8Array {
	const visibility = visibilityOf(context.get("caller"));
	const ofBatch = sentBytes.get(events) ?? new Map<Visibility, Uint8Array>();
	sentBytes.set(events, ofBatch);
	let bytes = ofBatch.get(visibility);
	if (bytes === undefined) {
		bytes = encoder.encode(toVisibleEvents(context, events).map(formatRecord).join(""));
		ofBatch.set(visibility, bytes);
	}
	return bytes;
}

/** The events that this caller sees; the first carries the token. */
export function toVisibleEvents(context: ServiceContext, events: readonly EventRecord[]): EventRecord[] {
	const visibility = visibilityOf(context.get("caller"));
	const { fingerprint } = context.get("kernel");
	return events.flatMap((event) => {
		const visible = toVisibleRecord(event, visibility);
		return visible === undefined
			? []
			: [visible.type === "run.started" ? addToken(visible, fingerprint) : visible];
	});
}

function addToken(started: EventRecord, fingerprint: Fingerprint): EventRecord {
	const event = parseEvent(started);
	return {
		...started,
		json: JSON.stringify({ ...event, run_token: createRunToken(event.run_id, fingerprint) }),
	};
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
