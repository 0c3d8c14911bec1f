import type { ChatToolCall, FinishReason } from "@stemma/core";
import { type CitationMark, findCitationMarks } from "../replies/citation-marks";
import type { ResponderReply } from "../replies/reply";
import { countReplyTokens, toReplyDetails } from "../replies/reply-details";

/** Fields that a completion shares with each of its chunks. */
export interface CompletionContext {
	/** `chatcmpl-…` */
	readonly id: string;
	/** Seconds since 1970. */
	readonly created: number;
	readonly model: string;
	/** True where the caller may see who answers, and who pays. */
	readonly canSeeReceipt: boolean;
	/** True where a call is returned as `function_call`, of which there is one. Default false. */
	readonly isLegacy?: boolean;
}

const toCommonFields = ({ id, created, model }: CompletionContext): object => ({ id, created, model });

/** Citations of documents with an address, as OpenAI's models cite pages. */
function toAnnotations({ text, answer }: ResponderReply, offset = 0): object {
	const marks = findCitationMarks(text, answer?.citations ?? [], offset);
	return marks.length === 0 ? {} : { annotations: marks.map(toAnnotation) };
}

const toAnnotation = ({ citation, url, start, end }: CitationMark): object => ({
	type: "url_citation",
	url_citation: { start_index: start, end_index: end, title: citation.title, url },
});

const FINISH_REASONS: { readonly [reason in FinishReason]: string } = {
	stop: "stop",
	tool_calls: "tool_calls",
	length: "length",
	filtered: "content_filter",
	other: "other",
};

export function toCompletion(context: CompletionContext, reply: ResponderReply): object {
	return {
		...toCommonFields(context),
		object: "chat.completion",
		choices: [
			{
				index: 0,
				message: {
					role: "assistant",
					content: reply.text === "" && reply.toolCalls.length > 0 ? null : reply.text,
					refusal: null,
					...(context.canSeeReceipt && reply.reasoning ? { reasoning_content: reply.reasoning } : {}),
					...toWireCalls(context, reply.toolCalls),
					...toAnnotations(reply),
				},
				logprobs: null,
				finish_reason: toFinishReason(context, reply),
			},
		],
		...toUsage(reply),
		stemma: toReplyDetails(reply, context.canSeeReceipt),
	};
}

export const toFirstChunk = (context: CompletionContext): object =>
	toChunk(context, { role: "assistant", content: "" });

export const toTextChunk = (context: CompletionContext, text: string): object =>
	toChunk(context, { content: text });

export const toReasoningChunk = (context: CompletionContext, text: string): object =>
	toChunk(context, { reasoning_content: text });

/**
 * Creates the chunks after the text: calls, citations, the finish reason and the usage, each in a chunk of its own.
 *
 * @param offset - length of the text before the answer, which was sent and turned out not to be part of it.
 */
export function toLastChunks(
	context: CompletionContext,
	reply: ResponderReply,
	includeUsage: boolean,
	offset = 0,
): object[] {
	const deltas = [toWireCalls(context, reply.toolCalls, true), toAnnotations(reply, offset)];
	const stemma = toReplyDetails(reply, context.canSeeReceipt);
	const usage = {
		...toCommonFields(context),
		object: CHUNK,
		choices: [],
		...toUsage(reply),
		stemma,
	};
	return [
		...deltas.filter((delta) => Object.keys(delta).length > 0).map((delta) => toChunk(context, delta)),
		{ ...toChunk(context, {}, toFinishReason(context, reply)), ...(includeUsage ? {} : { stemma }) },
		...(includeUsage ? [usage] : []),
	];
}

const toFinishReason = ({ isLegacy }: CompletionContext, { finishReason }: ResponderReply): string =>
	isLegacy && finishReason === "tool_calls" ? "function_call" : FINISH_REASONS[finishReason];

/** The calls as a part of a message or of a delta, where each has its index as well. */
function toWireCalls(context: CompletionContext, calls: readonly ChatToolCall[], isDelta = false): object {
	const [first] = calls;
	if (first === undefined) return {};
	if (context.isLegacy) return { function_call: { name: first.name, arguments: first.arguments } };
	return {
		tool_calls: calls.map((call, index) => ({ ...(isDelta && { index }), ...toWireCall(context, call) })),
	};
}

const CHUNK = "chat.completion.chunk";

function toChunk(context: CompletionContext, delta: object, finishReason: string | null = null): object {
	return {
		...toCommonFields(context),
		object: CHUNK,
		choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
	};
}

/** `extra_content` is where Google's endpoint has it: clients that send calls back as they came keep it. */
const toWireCall = (
	{ canSeeReceipt }: CompletionContext,
	{ id, name, arguments: text, providerMetadata }: ChatToolCall,
): object => ({
	id,
	type: "function",
	function: { name, arguments: text },
	...(providerMetadata === undefined || !canSeeReceipt
		? {}
		: { extra_content: { stemma: providerMetadata } }),
});

function toUsage(reply: ResponderReply): object {
	const tokens = countReplyTokens(reply);
	if (tokens === undefined) return {};
	const { inputTokens, outputTokens, cachedTokens: cached_tokens } = tokens;
	return {
		usage: {
			prompt_tokens: inputTokens,
			completion_tokens: outputTokens,
			total_tokens: inputTokens + outputTokens,
			...(cached_tokens === undefined ? {} : { prompt_tokens_details: { cached_tokens } }),
		},
	};
}
