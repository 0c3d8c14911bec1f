import { asObject, asText, type Fields, parseObject } from "../http/fields";
import type { VendorFailure } from "../http/to-provider-error";
import { NOT_THE_FORMAT } from "./map-error";
import { EMPTY_STREAM, reduceEvent, type StreamState } from "./stream-reducer";

export type ReadResponse = { readonly state: StreamState } | { readonly failure: VendorFailure };

/** The body of an answer that is not streamed: the same as the events of a stream. */
export function fromResponse(text: string): ReadResponse {
	const { output, stopReason, usage } = parseObject(text) ?? {};
	const { content } = asObject(asObject(output).message);
	if (!Array.isArray(content) || asText(stopReason) === "") return { failure: NOT_THE_FORMAT };
	const state = [
		...content.flatMap((block, index) => toEvents(asObject(block), index)),
		{ type: "messageStop", payload: { stopReason } },
		{ type: "metadata", payload: { usage } },
	].reduce((before, { type, payload }) => reduceEvent(before, type, payload).state, EMPTY_STREAM);
	return state.failure === undefined ? { state } : { failure: state.failure };
}

function toEvents(block: Fields, contentBlockIndex: number): { type: string; payload: Fields }[] {
	if (block.toolUse === undefined)
		return [{ type: "contentBlockDelta", payload: { contentBlockIndex, delta: block } }];
	const { input = {} } = asObject(block.toolUse);
	const delta = { toolUse: { input: typeof input === "string" ? input : JSON.stringify(input) } };
	return [
		{ type: "contentBlockStart", payload: { contentBlockIndex, start: block } },
		{ type: "contentBlockDelta", payload: { contentBlockIndex, delta } },
	];
}
