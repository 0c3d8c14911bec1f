import type { WireRunEvent } from "@stemma/client";
import type { SourceEvent } from "../agents/runnable-agent";

let lastAt = 0;
let lastText = "";

/** RFC 3339, as times are on the wire. Events come many to a millisecond. */
export function toWireTime(at: number | string): string {
	if (typeof at === "string") return at;
	if (at !== lastAt || lastText === "") {
		lastAt = at;
		lastText = new Date(at).toISOString();
	}
	return lastText;
}

/** An event as it is sent; a result stands in the last place. */
export function toWireJson(event: SourceEvent): { readonly json: string; readonly resultOffset: number } {
	if (!("result" in event))
		return { json: JSON.stringify({ ...event, at: toWireTime(event.at) }), resultOffset: 0 };
	const { result, ...fields } = event;
	const start = `${JSON.stringify({ ...fields, at: toWireTime(event.at) }).slice(0, -1)},"result":`;
	return { json: `${start}${JSON.stringify(result)}}`, resultOffset: start.length };
}

export const toWireEvent = (event: SourceEvent): WireRunEvent =>
	({ ...event, at: toWireTime(event.at) }) as WireRunEvent;
