import type { ChatEvent, ChatReply, ChatToolCall, TokenUsage } from "@stemma/core";
import { asObject, asText, type Fields, parseObject } from "../http/fields";
import type { VendorFailure } from "../http/to-provider-error";
import type { EventMessage } from "./event-stream";
import { MALFORMED, NOT_THE_FORMAT, readErrorMessage } from "./map-error";
import type { ConverseRequest } from "./to-request";
import { isMalformed, readReasoning, readUsage, toFinishReason } from "./wire";

/** A call that is being put together. */
interface OpenCall {
	readonly index: unknown;
	readonly id: string;
	readonly name: string;
	readonly input: string;
}

/** What a stream has said so far. */
export interface StreamState {
	readonly text: string;
	readonly calls: readonly OpenCall[];
	/** There is one as soon as the reply is complete. */
	readonly stopReason?: string;
	readonly usage?: TokenUsage;
	/** The usage behind a complete reply has come: nothing follows. */
	readonly isDone: boolean;
	readonly failure?: VendorFailure;
}

export interface StreamStep {
	readonly state: StreamState;
	readonly events: readonly ChatEvent[];
}

export const EMPTY_STREAM: StreamState = { text: "", calls: [], isDone: false };
const NO_EVENTS: readonly ChatEvent[] = [];
/** Made late: React Native has none before 0.85. */
let decoder: TextDecoder | undefined;

const to = (state: StreamState): StreamStep => ({ state, events: NO_EVENTS });

/** Takes one message of the stream. */
export function reduceMessage(state: StreamState, message: EventMessage): StreamStep {
	const { headers, body } = message;
	if (headers[":message-type"]?.value !== "event")
		return to({ ...state, failure: readErrorMessage(message) });
	decoder ??= new TextDecoder();
	const payload = parseObject(decoder.decode(body));
	if (payload === undefined) return to({ ...state, failure: NOT_THE_FORMAT });
	return reduceEvent(state, headers[":event-type"]?.value, payload);
}

/** Takes one event: a part of a streamed answer, or of a whole one. Events that are not known say nothing. */
export function reduceEvent(state: StreamState, type: unknown, payload: Fields): StreamStep {
	if (type === "contentBlockDelta")
		return reduceDelta(state, payload.contentBlockIndex, asObject(payload.delta));
	if (type === "contentBlockStart") return to(openCall(state, payload));
	if (type === "messageStop") return to(stop(state, asText(payload.stopReason) || "unknown"));
	if (type === "metadata") return to(finish(state, readUsage(payload.usage)));
	return to(state);
}

function reduceDelta(state: StreamState, index: unknown, delta: Fields): StreamStep {
	const text = asText(delta.text);
	if (text !== "")
		return { state: { ...state, text: state.text + text }, events: [{ type: "text.delta", text }] };
	if (delta.toolUse !== undefined) return to(extendCall(state, index, asObject(delta.toolUse).input));
	const reasoning = readReasoning(delta);
	return reasoning === "" ? to(state) : { state, events: [{ type: "reasoning.delta", text: reasoning }] };
}

function openCall(state: StreamState, { contentBlockIndex: index, start }: Fields): StreamState {
	const { toolUse } = asObject(start);
	if (toolUse === undefined) return state;
	const { toolUseId, name } = asObject(toolUse);
	const call = { index, id: asText(toolUseId), name: asText(name), input: "" };
	return { ...state, calls: [...state.calls, call] };
}

/** A piece of a call whose beginning never came must not be lost silently. */
function extendCall(state: StreamState, index: unknown, input: unknown): StreamState {
	const at = state.calls.map((call) => call.index).lastIndexOf(index);
	const call = state.calls[at];
	if (call === undefined || typeof input !== "string") return { ...state, failure: NOT_THE_FORMAT };
	const calls = [...state.calls];
	calls[at] = { ...call, input: call.input + input };
	return { ...state, calls };
}

function stop(state: StreamState, stopReason: string): StreamState {
	return isMalformed(stopReason) ? { ...state, failure: MALFORMED } : { ...state, stopReason };
}

function finish(state: StreamState, usage: TokenUsage | undefined): StreamState {
	const isDone = state.stopReason !== undefined;
	return usage === undefined ? { ...state, isDone } : { ...state, usage, isDone };
}

/** Whether the stream may end here. */
export const isComplete = ({ stopReason }: StreamState): boolean => stopReason !== undefined;

/** The whole reply, once the stream has ended. */
export function toReply(
	{ text, calls, stopReason = "unknown", usage }: StreamState,
	{ names, mayCall }: Pick<ConverseRequest, "names" | "mayCall">,
): ChatReply {
	const toolCalls = mayCall ? toToolCalls(calls, names) : [];
	return {
		text,
		toolCalls,
		finishReason: toFinishReason(stopReason, toolCalls.length > 0),
		...(usage === undefined ? {} : { usage }),
	};
}

/** Those with a name, each with an id of its own. */
function toToolCalls(calls: readonly OpenCall[], names: ConverseRequest["names"]): ChatToolCall[] {
	const taken = new Set<string>();
	return calls
		.filter(({ name }) => name !== "")
		.map((call, index) => {
			const id = call.id === "" || taken.has(call.id) ? `call_${index + 1}_${call.name}` : call.id;
			taken.add(id);
			return { id, name: names.toName(call.name), arguments: call.input === "" ? "{}" : call.input };
		});
}
