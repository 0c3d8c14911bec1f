import type { ChatEvent, ChatReply, TokenUsage } from "@stemma/core";
import type { SseEvent } from "@stemma/core/sse";
import { asList, asObject, asText, type Fields, parseObject } from "../http/lenient-json";
import type { VendorFailure } from "../http/to-provider-error";
import { MODEL_FAILED, readFailure, UNEXPECTED_FORMAT } from "./map-error";
import { addReasoningState, MAX_PARTS, type Origin, type ReasoningState } from "./provider-metadata";
import { mergeToolCall, type PartialToolCall, toToolCalls } from "./tool-calls";
import {
	expectsToolCalls,
	isModelFailure,
	readCalls,
	readReasoning,
	readText,
	readUsage,
	toFinishReason,
} from "./wire";

/** State of a stream after the events read so far. */
export interface StreamState {
	readonly text: string;
	readonly reasoning: string;
	readonly calls: readonly PartialToolCall[];
	/** The model would not answer; what it says instead is the text. */
	readonly isModelRefusal: boolean;
	readonly finishReason?: string | undefined;
	readonly usage?: TokenUsage | undefined;
	/** Id of the response; empty where the vendor gives none. */
	readonly id: string;
	/** The model that answers, by its own name; empty where the vendor does not say. */
	readonly model: string;
	readonly reasoningState?: ReasoningState | undefined;
	/** `[DONE]`: whatever follows does not count. */
	readonly isDone: boolean;
	readonly failure?: VendorFailure | undefined;
}

export interface StreamStep {
	readonly state: StreamState;
	readonly events: readonly ChatEvent[];
}

export const EMPTY_STREAM: StreamState = {
	text: "",
	reasoning: "",
	calls: [],
	isModelRefusal: false,
	id: "",
	model: "",
	isDone: false,
};

const NO_EVENTS: readonly ChatEvent[] = [];
const withoutEvents = (state: StreamState): StreamStep => ({ state, events: NO_EVENTS });

/** Takes one event of the stream. */
export function reduceEvent(state: StreamState, { event, data }: SseEvent): StreamStep {
	if (state.isDone) return withoutEvents(state);
	const isError = event === "error";
	const chunk = readChunk(data) ?? (isError ? { message: data } : undefined);
	if (chunk === undefined) return reduceOther(state, data.trim());
	const failure = readFailure(chunk, isError || isErrorChunk(chunk));
	return failure === undefined ? reduceChunk(state, chunk) : withoutEvents({ ...state, failure });
}

/** Reads a JSON object. Undefined if it is nested too deeply to be written again. */
export function readChunk(text: string): Fields | undefined {
	const chunk = parseObject(text);
	if (text.length < MIN_DEPTH_CHECK_CHARACTERS) return chunk;
	try {
		JSON.stringify(chunk);
		return chunk;
	} catch {
		return undefined;
	}
}
/** Minimum length of a text that can be nested too deep, in UTF-16 code units. */
const MIN_DEPTH_CHECK_CHARACTERS = 4096;

/** Errors of some servers have no name; chunks have none of their fields. */
const isErrorChunk = ({ choices, usage, x_groq: groq, object, message, detail, type }: Fields): boolean =>
	(choices ?? usage ?? groq ?? undefined) === undefined &&
	!asText(object).startsWith("chat.completion") &&
	Boolean(message || detail || type === "error");

function reduceOther(state: StreamState, data: string): StreamStep {
	if (data === "") return withoutEvents(state);
	return withoutEvents(
		data === "[DONE]" ? { ...state, isDone: true } : { ...state, failure: UNEXPECTED_FORMAT },
	);
}

/**
 * Takes one chunk: a part of a streamed answer, or a whole one. Runs for every word: it copies nothing needlessly. Where
 * it says nothing, the state stays the same.
 */
export function reduceChunk(state: StreamState, chunk: Fields): StreamStep {
	const choice = asObject(asList(chunk.choices)[0]);
	const delta = asObject(choice.delta ?? choice.message);
	const refusal = asText(delta.refusal);
	const text = readText(delta) + refusal;
	const reasoning = readReasoning(delta);
	const isFullMessage = (choice.delta ?? undefined) === undefined;
	const next: StreamState = {
		text: state.text + text,
		reasoning: state.reasoning + reasoning,
		calls: readCalls(delta).reduce<StreamState["calls"]>(
			(calls, wire) => mergeToolCall(calls, wire, isFullMessage),
			state.calls,
		),
		isModelRefusal: state.isModelRefusal || refusal !== "",
		finishReason: asText(choice.finish_reason) || state.finishReason,
		usage: readUsage(chunk) ?? state.usage,
		id: state.id || asText(chunk.id),
		model: state.model || asText(chunk.model),
		reasoningState: addReasoningState(state.reasoningState, delta),
		isDone: state.isDone,
	};
	const failure = readFailure(choice) ?? findStreamFailure(next);
	const events = toEvents(reasoning, text);
	if (failure !== undefined) return { state: { ...next, failure }, events };
	const hasChanged = events.length > 0 || COMPARED_FIELDS.some((field) => next[field] !== state[field]);
	return { state: hasChanged ? next : state, events };
}
const COMPARED_FIELDS = ["calls", "finishReason", "usage", "reasoningState"] as const;

function findStreamFailure({ calls, reasoningState, finishReason }: StreamState): VendorFailure | undefined {
	const details = reasoningState?.reasoning_details ?? [];
	if (Math.max(calls.length, details.length) > MAX_PARTS) return UNEXPECTED_FORMAT;
	return isModelFailure(finishReason) ? MODEL_FAILED : undefined;
}

function toEvents(reasoning: string, text: string): readonly ChatEvent[] {
	if (reasoning === "") return text === "" ? NO_EVENTS : [{ type: "text.delta", text }];
	const reasoningEvent = { type: "reasoning.delta", text: reasoning } as const;
	return text === "" ? [reasoningEvent] : [reasoningEvent, { type: "text.delta", text }];
}

/** Checks whether the stream may end here. Vendors leave out `[DONE]`, or the reason, but not both. */
export const isComplete = ({ isDone, finishReason }: StreamState): boolean =>
	isDone || finishReason !== undefined;

/**
 * Returns what is wrong with an answer that has ended: it announces calls, but has none, and no text either. Undefined
 * where nothing is wrong.
 */
export const findEndFailure = ({ text, calls, finishReason }: StreamState): VendorFailure | undefined =>
	text === "" && expectsToolCalls(finishReason) && calls.every(({ name }) => name === "")
		? UNEXPECTED_FORMAT
		: undefined;

/** The whole reply, once the stream has ended. */
export function toReply(state: StreamState, origin: Origin): ChatReply {
	const { text, reasoning, calls, isModelRefusal, finishReason, usage, reasoningState, id, model } = state;
	const isCutOff = toFinishReason(finishReason, false) === "length";
	const toolCalls = toToolCalls(calls, reasoningState, origin, isCutOff);
	return {
		text,
		...(reasoning && { reasoning }),
		toolCalls,
		finishReason: isModelRefusal ? "filtered" : toFinishReason(finishReason, toolCalls.length > 0),
		...(usage && { usage }),
		...(id && { responseId: id }),
		...(model && { responseModel: model }),
	};
}
