import { asObject, asText, type Fields, parseObject } from "../http/lenient-json";
import { UNEXPECTED_FORMAT } from "./map-error";
import { EMPTY_STREAM, reduceEvent, type StreamState } from "./stream-reducer";

/** The body of an answer that is not streamed: the same as the events of a stream. */
export function fromResponse(text: string): StreamState {
	const { output, stopReason, usage } = parseObject(text) ?? {};
	const { content } = asObject(asObject(output).message);
	if (!Array.isArray(content) || asText(stopReason) === "")
		return { ...EMPTY_STREAM, failure: UNEXPECTED_FORMAT };
	const events: readonly Event[] = [
		...content.flatMap((block, index) => toEvents(asObject(block), index)),
		["messageStop", { stopReason }],
		["metadata", { usage }],
	];
	return events.reduce((state, [type, payload]) => reduceEvent(state, type, payload).state, EMPTY_STREAM);
}

type Event = readonly [type: string, payload: Fields];

function toEvents(block: Fields, contentBlockIndex: number): Event[] {
	if (block.toolUse === undefined) return [["contentBlockDelta", { contentBlockIndex, delta: block }]];
	const { input = "" } = asObject(block.toolUse);
	const delta = { toolUse: { input: typeof input === "string" ? input : JSON.stringify(input) } };
	return [
		["contentBlockStart", { contentBlockIndex, start: block }],
		["contentBlockDelta", { contentBlockIndex, delta }],
	];
}
