import type { ChatEvent, ChatReply, TokenUsage } from "@stemma/core";
import type { SseEvent } from "@stemma/core/sse";
import type { VendorFailure } from "../http/to-provider-error";
import { BREAKDOWN, NOT_THE_FORMAT, readFailure } from "./map-error";
import { mergeToolCall, type OpenCall, toToolCalls } from "./tool-calls";
import {
	asList,
	asObject,
	asText,
	type Fields,
	isBreakdown,
	parseObject,
	readReasoning,
	readText,
	readUsage,
	toFinishReason,
} from "./wire";

/** What a stream has said so far. */
export interface StreamState {
	readonly text: string;
	readonly calls: readonly OpenCall[];
	/** The model would not answer; what it says instead is the text. */
	readonly isRefusal: boolean;
	readonly finishReason?: string;
	readonly usage?: TokenUsage;
	/** `[DONE]`: whatever follows does not count. */
	readonly isDone: boolean;
	readonly failure?: VendorFailure;
}

export interface StreamStep {
	readonly state: StreamState;
	readonly events: readonly ChatEvent[];
}

export const EMPTY_STREAM: StreamState = { text: "", calls: [], isRefusal: false, isDone: false };

/** Takes one event of the stream. */
export function reduceEvent(state: StreamState, { event, data }: SseEvent): StreamStep {
	if (state.isDone || data.trim() === "") return { state, events: [] };
	if (data.trim() === "[DONE]") return { state: { ...state, isDone: true }, events: [] };
	const chunk = parseObject(data);
	if (chunk === undefined) return { state: { ...state, failure: NOT_THE_FORMAT }, events: [] };
	const failure = readFailure(chunk, event === "error");
	return failure === undefined ? reduceChunk(state, chunk) : { state: { ...state, failure }, events: [] };
}

/** Takes one chunk: a part of a streamed answer, or a whole one. */
export function reduceChunk(state: StreamState, chunk: Fields): StreamStep {
	const choice = asObject(asList(chunk.choices)[0]);
	const delta = asObject(choice.delta ?? choice.message);
	const refusal = asText(delta.refusal);
	const text = readText(delta) + refusal;
	const reasoning = readReasoning(delta);
	const finishReason = asText(choice.finish_reason) || state.finishReason;
	const usage = readUsage(chunk) ?? state.usage;
	return {
		state: {
			...state,
			text: state.text + text,
			calls: asList(delta.tool_calls).reduce(mergeToolCall, state.calls),
			isRefusal: state.isRefusal || refusal !== "",
			...(finishReason === undefined ? {} : { finishReason }),
			...(usage === undefined ? {} : { usage }),
			...(isBreakdown(finishReason) ? { failure: BREAKDOWN } : {}),
		},
		events: [
			...(reasoning === "" ? [] : [{ type: "reasoning.delta", text: reasoning } as const]),
			...(text === "" ? [] : [{ type: "text.delta", text } as const]),
		],
	};
}

/** Whether the stream may end here. Vendors leave out `[DONE]`, or the reason, but not both. */
export const isComplete = ({ isDone, finishReason }: StreamState): boolean =>
	isDone || finishReason !== undefined;

/** The whole reply, once the stream has ended. */
export function toReply({ text, calls, isRefusal, finishReason, usage }: StreamState): ChatReply {
	const toolCalls = toToolCalls(calls);
	return {
		text,
		toolCalls,
		finishReason: isRefusal ? "filtered" : toFinishReason(finishReason, toolCalls.length > 0),
		...(usage === undefined ? {} : { usage }),
	};
}
