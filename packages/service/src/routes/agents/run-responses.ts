import type { ThreadReference } from "@stemma/client";
import { formatRecord } from "@stemma/protocol";
import { type EventRecord, isTerminal, parseEvent, toEventRecord } from "@stemma/runs";
import { type DocumentLinks, linkEvent } from "../../answering/document-links";
import type { Fingerprint } from "../../auth/fingerprint";
import { eventStream } from "../../http/event-stream";
import type { ServiceContext } from "../../http/service-context";
import { toDocumentLinks } from "../../http/to-scope";
import { createRunToken } from "../../runs/run-token";
import { readResult, type StoredRun } from "../../runs/stored-run";
import { toVisibleRecord, toVisibleResult, type Visibility, visibilityOf } from "../../runs/visibility";

/** The events of a run after a seq, as a stream that ends with the run, or when it pauses. */
export function respondWithEvents(context: ServiceContext, { id }: StoredRun, after: number): Response {
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
	// Its documents have addresses for this caller and this moment.
	if (context.get("caller").kind === "client_key" && events.some(hasResult))
		return encodeEvents(context, events);
	const visibility = visibilityOf(context.get("caller"));
	const ofBatch = sentBytes.get(events) ?? new Map<Visibility, Uint8Array>();
	sentBytes.set(events, ofBatch);
	let bytes = ofBatch.get(visibility);
	if (bytes === undefined) {
		bytes = encodeEvents(context, events);
		ofBatch.set(visibility, bytes);
	}
	return bytes;
}

const encodeEvents = (context: ServiceContext, events: readonly EventRecord[]): Uint8Array =>
	encoder.encode(toVisibleEvents(context, events).map(formatRecord).join(""));

/** Checks whether an event carries the result of its run, with citations. */
const hasResult = (event: EventRecord): boolean => isTerminal(event) || event.type === "run.paused";

/** The events that this caller sees; the first carries the token, the last the addresses of cited documents. */
export function toVisibleEvents(context: ServiceContext, events: readonly EventRecord[]): EventRecord[] {
	const visibility = visibilityOf(context.get("caller"));
	const { fingerprint } = context.get("kernel");
	const links = toDocumentLinks(context);
	return events.flatMap((event) => {
		const visible = toVisibleRecord(event, visibility);
		if (visible === undefined) return [];
		if (visible.type === "run.started") return [addToken(visible, fingerprint)];
		return [links.isEmpty || !hasResult(visible) ? visible : addLinks(visible, links)];
	});
}

const addLinks = (record: EventRecord, links: DocumentLinks): EventRecord =>
	toEventRecord(linkEvent(parseEvent(record), links));

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
export async function respondWithResult(context: ServiceContext, { id }: StoredRun): Promise<Response> {
	const { runs, store } = context.get("workspace");
	const { fingerprint } = context.get("kernel");
	const { signal } = context.req.raw;
	await runs.waitUntilSettled(id, signal);
	if (signal.aborted) return context.body(null, CLIENT_DISCONNECTED);
	const run = await store.runs.find(id);
	const result = run === undefined ? undefined : await readResult(store.runs, run);
	if (result === undefined) throw new Error("The run has ended without a result.");
	const visible = toVisibleResult(result, visibilityOf(context.get("caller")));
	const linked = toDocumentLinks(context).linkCitations(visible);
	const thread = await findThreadReference(context, { id });
	return context.json({ ...linked, ...thread, run_token: createRunToken(id, fingerprint) });
}

/** The thread and the message that a run answers; empty where there is none. */
export async function findThreadReference(
	context: ServiceContext,
	{ id }: Pick<StoredRun, "id">,
): Promise<ThreadReference> {
	const message = await context.get("workspace").store.threads.findRunMessage(id);
	return message === undefined ? {} : { thread_id: message.thread_id, message_id: message.id };
}
