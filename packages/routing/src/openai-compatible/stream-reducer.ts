import type { ChatEvent, ChatReply, TokenUsage } from "@stemma/core";
import type { SseEvent } from "@stemma/core/sse";
import { asList, asObject, asText, type Fields, parseObject } from "../http/fields";
import type { VendorFailure } from "../http/to-provider-error";
import { addKeepsakes, type Keepsakes, MOST_PARTS, type Origin } from "./keepsakes";
import { BREAKDOWN, NOT_THE_FORMAT, readFailure } from "./map-error";
import { mergeToolCall, type OpenCall, toToolCalls } from "./tool-calls";
import {
	asksForCalls,
	isBreakdown,
	readCalls,
	readReasoning,
	readText,
	readUsage,
	toFinishReason,
} from "./wire";

/** What a stream has said so far. */
export interface StreamState {
	readonly text: string;
	readonly reasoning: string;
	readonly calls: readonly OpenCall[];
	/** The model would not answer; what it says instead is the text. */
	readonly isRefusal: boolean;
	readonly finishReason?: string | undefined;
	readonly usage?: TokenUsage | undefined;
	/** Of the response; empty where the vendor gives none. */
	readonly id: string;
	/** The model that answers, by its own name; empty where the vendor does not say. */
	readonly model: string;
	readonly keepsakes?: Keepsakes | undefined;
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
	isRefusal: false,
	id: "",
	model: "",
	isDone: false,
};

const NO_EVENTS: readonly ChatEvent[] = [];
const silently = (state: StreamState): StreamStep => ({ state, events: NO_EVENTS });

/** Takes one event of the stream. */
export function reduceEvent(state: StreamState, { event, data }: SseEvent): StreamStep {
	if (state.isDone) return silently(state);
	const isError = event === "error";
	const chunk = readChunk(data) ?? (isError ? { message: data } : undefined);
	if (chunk === undefined) return reduceOther(state, data.trim());
	const failure = readFailure(chunk, isError || isComplaint(chunk));
	return failure === undefined ? reduceChunk(state, chunk) : silently({ ...state, failure });
}

/** An object of JSON, unless it is nested deeper than could be written again. */
export function readChunk(text: string): Fields | undefined {
	const chunk = parseObject(text);
	if (text.length < LEAST_DEEP) return chunk;
	try {
		JSON.stringify(chunk);
		return chunk;
	} catch {
		return undefined;
	}
}
/** What is shorter cannot be that deep. */
const LEAST_DEEP = 4096;

/** Errors of some servers have no name; chunks have none of their fields. */
const isComplaint = ({ choices, usage, x_groq: groq, object, message, detail, type }: Fields): boolean =>
	(choices ?? usage ?? groq ?? undefined) === undefined &&
	!asText(object).startsWith("chat.completion") &&
	Boolean(message || detail || type === "error");

function reduceOther(state: StreamState, data: string): StreamStep {
	if (data === "") return silently(state);
	return silently(data === "[DONE]" ? { ...state, isDone: true } : { ...state, failure: NOT_THE_FORMAT });
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
	const isWhole = (choice.delta ?? undefined) === undefined;
	const next: StreamState = {
		text: state.text + text,
		reasoning: state.reasoning + reasoning,
		calls: readCalls(delta).reduce<StreamState["calls"]>(
			(calls, wire) => mergeToolCall(calls, wire, isWhole),
			state.calls,
		),
		isRefusal: state.isRefusal || refusal !== "",
		finishReason: asText(choice.finish_reason) || state.finishReason,
		usage: readUsage(chunk) ?? state.usage,
		id: state.id || asText(chunk.id),
		model: state.model || asText(chunk.model),
		keepsakes: addKeepsakes(state.keepsakes, delta),
		isDone: state.isDone,
	};
	const failure = readFailure(choice) ?? readDamage(next);
	const events = toEvents(reasoning, text);
	if (failure !== undefined) return { state: { ...next, failure }, events };
	const isNews = events.length > 0 || MARKS.some((mark) => next[mark] !== state[mark]);
	return { state: isNews ? next : state, events };
}
const MARKS = ["calls", "finishReason", "usage", "keepsakes"] as const;

function readDamage({ calls, keepsakes, finishReason }: StreamState): VendorFailure | undefined {
	const details = keepsakes?.reasoning_details ?? [];
	if (Math.max(calls.length, details.length) > MOST_PARTS) return NOT_THE_FORMAT;
	return isBreakdown(finishReason) ? BREAKDOWN : undefined;
}

function toEvents(reasoning: string, text: string): readonly ChatEvent[] {
	if (reasoning === "") return text === "" ? NO_EVENTS : [{ type: "text.delta", text }];
	const thought = { type: "reasoning.delta", text: reasoning } as const;
	return text === "" ? [thought] : [thought, { type: "text.delta", text }];
}

/** Whether the stream may end here. Vendors leave out `[DONE]`, or the reason, but not both. */
export const isComplete = ({ isDone, finishReason }: StreamState): boolean =>
	isDone || finishReason !== undefined;

/** What is wrong with an answer that has ended: it speaks of calls, but has none, and says nothing else. */
export const readEnd = ({ text, calls, finishReason }: StreamState): VendorFailure | undefined =>
	text === "" && asksForCalls(finishReason) && calls.every(({ name }) => name === "")
		? NOT_THE_FORMAT
		: undefined;

/** The whole reply, once the stream has ended. */
export function toReply(state: StreamState, origin: Origin): ChatReply {
	const { text, reasoning, calls, isRefusal, finishReason, usage, keepsakes, id, model } = state;
	const isCutOff = toFinishReason(finishReason, false) === "length";
	const toolCalls = toToolCalls(calls, keepsakes, origin, isCutOff);
	return {
		text,
		...(reasoning && { reasoning }),
		toolCalls,
		finishReason: isRefusal ? "filtered" : toFinishReason(finishReason, toolCalls.length > 0),
		...(usage && { usage }),
		...(id && { responseId: id }),
		...(model && { responseModel: model }),
	};
}
