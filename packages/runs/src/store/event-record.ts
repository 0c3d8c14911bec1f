import type { WireRunEvent } from "@stemma/client";
import type { RunEvent } from "@stemma/core";

/** An event of a run here, or of one elsewhere. */
export type SourceEvent = RunEvent | WireRunEvent;

/** Event of a run as it is stored and sent. It becomes text once, and nobody writes it again. */
export interface EventRecord {
	/** Sequence number in its run, from 1. */
	readonly seq: number;
	readonly type: WireRunEvent["type"];
	/** The event as JSON, as on the wire. */
	readonly json: string;
}

/** Writes an event as a record. */
export const toEventRecord = (event: SourceEvent): EventRecord => ({
	seq: event.seq,
	type: event.type,
	json: toWireJson(event),
});

/** Converts an event to JSON as it is sent; a result is in the last place. */
export const toWireJson = (event: SourceEvent): string =>
	"result" in event
		? joinResult(event, JSON.stringify(event.result))
		: JSON.stringify({ ...event, at: toWireTime(event.at) });

/** Writes an event with a result that is JSON already. */
export function joinResult(
	event: Extract<SourceEvent, { readonly result: object }>,
	resultJson: string,
): string {
	const { result: _, ...fields } = event;
	return `${JSON.stringify({ ...fields, at: toWireTime(event.at) }).slice(0, -1)},"result":${resultJson}}`;
}

let lastAt = 0;
let lastText = "";

/** Converts to RFC 3339, as times are on the wire. Events come many to a millisecond. */
export function toWireTime(at: number | string): string {
	if (typeof at === "string") return at;
	if (at !== lastAt || lastText === "") {
		lastAt = at;
		lastText = new Date(at).toISOString();
	}
	return lastText;
}

/** Parses a record, which was an event when it was written. */
export const parseEvent = ({ json }: EventRecord): WireRunEvent => JSON.parse(json) as WireRunEvent;

/** Checks whether an event is the last one of its run. */
export const isTerminal = ({ type }: Pick<EventRecord, "type">): boolean =>
	type === "run.completed" || type === "run.failed" || type === "run.cancelled";
