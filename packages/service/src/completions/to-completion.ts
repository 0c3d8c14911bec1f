import type { ChatReply, ChatToolCall, FinishReason, ReceiptRow } from "@stemma/core";

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

const toReceipt = ({ canSeeReceipt }: CompletionContext, row: ReceiptRow | undefined): object => ({
	stemma: { receipt: canSeeReceipt && row !== undefined ? [row] : [] },
});

const FINISH_REASONS: { readonly [reason in FinishReason]: string } = {
	stop: "stop",
	tool_calls: "tool_calls",
	length: "length",
	filtered: "content_filter",
	other: "other",
};

export function toCompletion(context: CompletionContext, reply: ChatReply): object {
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
				},
				logprobs: null,
				finish_reason: toFinishReason(context, reply),
			},
		],
		...toUsage(reply.receipt),
		...toReceipt(context, reply.receipt),
	};
}

export const toFirstChunk = (context: CompletionContext): object =>
	toChunk(context, { role: "assistant", content: "" });

export const toTextChunk = (context: CompletionContext, text: string): object =>
	toChunk(context, { content: text });

export const toReasoningChunk = (context: CompletionContext, text: string): object =>
	toChunk(context, { reasoning_content: text });

/** Creates the chunks after the text: calls, the finish reason and the usage, each in a chunk of its own. */
export function toLastChunks(context: CompletionContext, reply: ChatReply, includeUsage: boolean): object[] {
	const calls = toWireCalls(context, reply.toolCalls, true);
	const receipt = toReceipt(context, reply.receipt);
	const usage = {
		...toCommonFields(context),
		object: CHUNK,
		choices: [],
		...toUsage(reply.receipt),
		...receipt,
	};
	return [
		...(reply.toolCalls.length === 0 ? [] : [toChunk(context, calls)]),
		{ ...toChunk(context, {}, toFinishReason(context, reply)), ...(includeUsage ? {} : receipt) },
		...(includeUsage ? [usage] : []),
	];
}

const toFinishReason = ({ isLegacy }: CompletionContext, { finishReason }: ChatReply): string =>
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

function toUsage(row: ReceiptRow | undefined): object {
	if (row === undefined) return {};
	const { input_tokens, output_tokens, cached_tokens } = row;
	return {
		usage: {
			prompt_tokens: input_tokens,
			completion_tokens: output_tokens,
			total_tokens: input_tokens + output_tokens,
			...(cached_tokens === undefined ? {} : { prompt_tokens_details: { cached_tokens } }),
		},
	};
}
