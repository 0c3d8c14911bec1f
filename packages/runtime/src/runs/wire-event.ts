import { toWireTime } from "@stemma/runs";
import type { SourceEvent } from "../agents/runnable-agent";

/** An event as it is sent; a result stands in the last place. */
export function toWireJson(event: SourceEvent): { readonly json: string; readonly resultOffset: number } {
	if (!("result" in event))
		return { json: JSON.stringify({ ...event, at: toWireTime(event.at) }), resultOffset: 0 };
	const { result, ...fields } = event;
	const start = `${JSON.stringify({ ...fields, at: toWireTime(event.at) }).slice(0, -1)},"result":`;
	return { json: `${start}${JSON.stringify(result)}}`, resultOffset: start.length };
}
