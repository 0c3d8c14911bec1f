import type { ChatEvent, ChatReply, ChatToolCall, TokenUsage } from "@stemma/core";
import { asObject, asText, type Fields, parseObject } from "../http/lenient-json";
import { type Endpoint, toProviderError, type VendorFailure } from "../http/to-provider-error";
import type { EventMessage } from "./event-stream";
import { MALFORMED, readErrorMessage, UNEXPECTED_FORMAT } from "./map-error";
import type { ConverseRequest } from "./to-request";
import { isMalformed, readReasoning, readUsage, toFinishReason } from "./wire";

/** A call that is being put together. */
interface PartialToolCall {
	readonly index: unknown;
	readonly id: string;
	readonly name: string;
	readonly input: string;
}

/** State of a stream after the messages read so far. */
export interface StreamState {
	readonly text: string;
	readonly reasoning: string;
	readonly calls: readonly PartialToolCall[];
	/** Stop reason of the model. It is present as soon as the reply is complete. */
	readonly stopReason?: string;
	readonly usage?: TokenUsage | undefined;
	/** The usage behind a complete reply has come, or is waited for no longer. */
	readonly isDone: boolean;
	readonly failure?: VendorFailure;
}

export interface StreamStep {
	readonly state: StreamState;
	readonly events: readonly ChatEvent[];
}

export const EMPTY_STREAM: StreamState = { text: "", reasoning: "", calls: [], isDone: false };
const NO_EVENTS: readonly ChatEvent[] = [];
/** Calls of one reply; no model makes more. Each piece of a call is compared with all of them, so they are few. */
const MAX_CALLS = 256;
/** Made late: React Native has none before 0.85. */
let decoder: TextDecoder | undefined;

const withoutEvents = (state: StreamState): StreamStep => ({ state, events: NO_EVENTS });

/** Takes one message of the stream. */
export function reduceMessage(state: StreamState, message: EventMessage): StreamStep {
	const { headers, body } = message;
	if (headers[":message-type"]?.value !== "event")
		return withoutEvents(fail(state, readErrorMessage(message)));
	const type = asText(headers[":event-type"]?.value);
	if (!KNOWN_EVENTS.test(type)) return withoutEvents(state);
	decoder ??= new TextDecoder();
	const payload = parseObject(decoder.decode(body));
	return payload === undefined
		? withoutEvents(fail(state, UNEXPECTED_FORMAT))
		: reduceEvent(state, type, payload);
}
const KNOWN_EVENTS = /^(contentBlock(Delta|Start)|messageStop|metadata)$/;

/** Takes one event: a part of a streamed answer, or of a whole one. Those that are not known say nothing. */
export function reduceEvent(state: StreamState, type: string, payload: Fields): StreamStep {
	if (type === "contentBlockDelta")
		return reduceDelta(state, payload.contentBlockIndex, asObject(payload.delta));
	if (type === "contentBlockStart") return withoutEvents(startCall(state, payload));
	if (type === "messageStop") return withoutEvents({ ...state, stopReason: asText(payload.stopReason) });
	if (type === "metadata") return withoutEvents(finish(state, readUsage(payload.usage)));
	return withoutEvents(state);
}

function reduceDelta(state: StreamState, index: unknown, delta: Fields): StreamStep {
	const text = asText(delta.text);
	if (text !== "")
		return { state: { ...state, text: state.text + text }, events: [{ type: "text.delta", text }] };
	if (delta.toolUse !== undefined)
		return withoutEvents(extendCall(state, index, asObject(delta.toolUse).input));
	const reasoning = readReasoning(delta);
	if (reasoning === "") return withoutEvents(state);
	return {
		state: { ...state, reasoning: state.reasoning + reasoning },
		events: [{ type: "reasoning.delta", text: reasoning }],
	};
}

function startCall(state: StreamState, { contentBlockIndex: index, start }: Fields): StreamState {
	const { toolUse } = asObject(start);
	if (toolUse === undefined) return state;
	const { toolUseId, name } = asObject(toolUse);
	if (state.calls.length >= MAX_CALLS) return fail(state, UNEXPECTED_FORMAT);
	const call = { index, id: asText(toolUseId), name: asText(name), input: "" };
	return { ...state, calls: [...state.calls, call] };
}

/** A piece of a call whose beginning never came must not be lost silently. */
function extendCall(state: StreamState, index: unknown, input: unknown): StreamState {
	const at = state.calls.map((call) => call.index).lastIndexOf(index);
	const call = state.calls[at];
	if (call === undefined || typeof input !== "string") return fail(state, UNEXPECTED_FORMAT);
	if (input === "") return state;
	const calls = [...state.calls];
	calls[at] = { ...call, input: call.input + input };
	return { ...state, calls };
}

/** The usage has come, or comes no more. A reply that cannot be read is a failure only now, for it costs as any other. */
export function finish(state: StreamState, usage = state.usage): StreamState {
	const { stopReason } = state;
	if (stopReason === undefined) return { ...state, usage };
	const failure = state.failure ?? (isMalformed(stopReason) ? MALFORMED : undefined);
	return { ...state, usage, isDone: true, ...(failure && { failure }) };
}

/**
 * Adds a failure to the state. After the end of the reply, unreadable data loses only the usage, but an error that the
 * vendor reports still counts.
 */
export function fail(state: StreamState, failure: VendorFailure): StreamState {
	if (failure.code === "bad_response" && isComplete(state)) return finish(state);
	return { ...state, failure: state.failure ?? failure };
}

/** Checks whether the stream may end here. */
export const isComplete = ({ stopReason }: StreamState): boolean => stopReason !== undefined;

/** @throws ProviderError for an answer that has failed, with what it cost where that has been told. */
export function assertSuccess({ failure, usage }: StreamState, endpoint: Endpoint): void {
	if (failure !== undefined) throw toProviderError(failure, endpoint, { usage });
}

/** The whole reply, once the stream has ended. */
export function toReply(
	{ text, reasoning, calls, stopReason = "", usage }: StreamState,
	{ names }: Pick<ConverseRequest, "names">,
): ChatReply {
	const finishReason = toFinishReason(stopReason, calls.some(isNamed));
	const toolCalls = toToolCalls(calls, names, finishReason === "length");
	return { text, ...(reasoning && { reasoning }), toolCalls, finishReason, ...(usage && { usage }) };
}

const isNamed = ({ name }: PartialToolCall): boolean => name !== "";

/**
 * Converts the calls that have a name, and gives each an id of its own. A call that was cut off before its arguments
 * began gets an empty text as arguments, not `{}`.
 */
function toToolCalls(
	calls: readonly PartialToolCall[],
	names: ConverseRequest["names"],
	isCutOff: boolean,
): ChatToolCall[] {
	const usedIds = new Set<string>();
	const lastCall = isCutOff ? calls.at(-1) : undefined;
	return calls.filter(isNamed).map((call, index) => {
		const id = call.id === "" || usedIds.has(call.id) ? `call_${index + 1}_${call.name}` : call.id;
		usedIds.add(id);
		const emptyArguments = call === lastCall ? "" : "{}";
		return { id, name: names.toName(call.name), arguments: call.input || emptyArguments };
	});
}
