import type { ChatEvent, ChatReply, TokenUsage } from "@stemma/core";
import type { SseEvent } from "@stemma/core/sse";
import { asList, asObject, asText, type Fields, parseObject } from "../http/fields";
import type { VendorFailure } from "../http/to-provider-error";
import { addKeepsakes, type Keepsakes } from "./keepsakes";
import { BREAKDOWN, NOT_THE_FORMAT, readFailure } from "./map-error";
import { mergeToolCall, type OpenCall, toToolCalls } from "./tool-calls";
import { isBreakdown, readCalls, readReasoning, readText, readUsage, toFinishReason } from "./wire";

/** What a stream has said so far. */
export interface StreamState {
	readonly text: string;
	readonly calls: readonly OpenCall[];
	/** The model would not answer; what it says instead is the text. */
	readonly isRefusal: boolean;
	readonly finishReason?: string | undefined;
	readonly usage?: TokenUsage | undefined;
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
	calls: [],
	isRefusal: false,
	isDone: false,
};

const NO_EVENTS: readonly ChatEvent[] = [];
const silently = (state: StreamState): StreamStep => ({ state, events: NO_EVENTS });

/** Takes one event of the stream. */
export function reduceEvent(state: StreamState, { event, data }: SseEvent): StreamStep {
	if (state.isDone) return silently(state);
	const chunk = parseObject(data);
	if (chunk === undefined) return reduceOther(state, data.trim());
	const failure = readFailure(chunk, event === "error");
	return failure === undefined ? reduceChunk(state, chunk) : silently({ ...state, failure });
}

function reduceOther(state: StreamState, data: string): StreamStep {
	if (data === "") return silently(state);
	return silently(data === "[DONE]" ? { ...state, isDone: true } : { ...state, failure: NOT_THE_FORMAT });
}

/** Takes one chunk: a part of a streamed answer, or a whole one. Runs for every word: it copies nothing needlessly. */
export function reduceChunk(state: StreamState, chunk: Fields): StreamStep {
	const choice = asObject(asList(chunk.choices)[0]);
	const delta = asObject(choice.delta ?? choice.message);
	const refusal = asText(delta.refusal);
	const text = readText(delta) + refusal;
	const reasoning = readReasoning(delta);
	const finishReason = asText(choice.finish_reason) || state.finishReason;
	return {
		state: {
			text: state.text + text,
			calls: readCalls(delta).reduce(mergeToolCall, state.calls),
			isRefusal: state.isRefusal || refusal !== "",
			finishReason,
			usage: readUsage(chunk) ?? state.usage,
			keepsakes: addKeepsakes(state.keepsakes, delta),
			isDone: state.isDone,
			failure: isBreakdown(finishReason) ? BREAKDOWN : undefined,
		},
		events: toEvents(reasoning, text),
	};
}

function toEvents(reasoning: string, text: string): readonly ChatEvent[] {
	if (reasoning === "") return text === "" ? NO_EVENTS : [{ type: "text.delta", text }];
	const thought = { type: "reasoning.delta", text: reasoning } as const;
	return text === "" ? [thought] : [thought, { type: "text.delta", text }];
}

/** Whether the stream may end here. Vendors leave out `[DONE]`, or the reason, but not both. */
export const isComplete = ({ isDone, finishReason }: StreamState): boolean =>
	isDone || finishReason !== undefined;

/** The whole reply, once the stream has ended. */
export function toReply(state: StreamState, vendorHost: string): ChatReply {
	const { text, calls, isRefusal, finishReason, usage, keepsakes } = state;
	const isCutOff = toFinishReason(finishReason, false) === "length";
	const toolCalls = toToolCalls(calls, keepsakes, vendorHost, isCutOff);
	return {
		text,
		toolCalls,
		finishReason: isRefusal ? "filtered" : toFinishReason(finishReason, toolCalls.length > 0),
		...(usage && { usage }),
	};
}
