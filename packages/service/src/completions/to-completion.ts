import type { ChatReply, ChatToolCall, FinishReason, ReceiptRow } from "@stemma/core";

/** What is the same in an answer and in each chunk of it. */
export interface CompletionHead {
	/** `chatcmpl-…` */
	readonly id: string;
	/** Seconds since 1970. */
	readonly created: number;
	readonly model: string;
	/** Whether the caller may see who answers, and who pays. */
	readonly showsReceipt: boolean;
	/** Whether calls are wanted as `function_call`, of which there is one. Default false. */
	readonly isLegacy?: boolean;
}

const toWireHead = ({ id, created, model }: CompletionHead): object => ({ id, created, model });

const toReceipt = ({ showsReceipt }: CompletionHead, row: ReceiptRow | undefined): object => ({
	stemma: { receipt: showsReceipt && row !== undefined ? [row] : [] },
});

const FINISH_REASONS: { readonly [reason in FinishReason]: string } = {
	stop: "stop",
	tool_calls: "tool_calls",
	length: "length",
	filtered: "content_filter",
	other: "other",
};

/** A whole answer, in OpenAI's shape. */
export function toCompletion(head: CompletionHead, reply: ChatReply): object {
	return {
		...toWireHead(head),
		object: "chat.completion",
		choices: [
			{
				index: 0,
				message: {
					role: "assistant",
					content: reply.text === "" && reply.toolCalls.length > 0 ? null : reply.text,
					refusal: null,
					...(head.showsReceipt && reply.reasoning ? { reasoning_content: reply.reasoning } : {}),
					...toWireCalls(head, reply.toolCalls),
				},
				logprobs: null,
				finish_reason: toFinishReason(head, reply),
			},
		],
		...toUsage(reply.receipt),
		...toReceipt(head, reply.receipt),
	};
}

/** The first chunk of a streamed answer. */
export const toFirstChunk = (head: CompletionHead): object =>
	toChunk(head, { role: "assistant", content: "" });

export const toTextChunk = (head: CompletionHead, text: string): object => toChunk(head, { content: text });

export const toReasoningChunk = (head: CompletionHead, text: string): object =>
	toChunk(head, { reasoning_content: text });

/** What comes after the text: calls, the reason of the end, and the usage, each in a chunk of its own. */
export function toLastChunks(head: CompletionHead, reply: ChatReply, includeUsage: boolean): object[] {
	const calls = toWireCalls(head, reply.toolCalls, true);
	const receipt = toReceipt(head, reply.receipt);
	const usage = { ...toWireHead(head), object: CHUNK, choices: [], ...toUsage(reply.receipt), ...receipt };
	return [
		...(reply.toolCalls.length === 0 ? [] : [toChunk(head, calls)]),
		{ ...toChunk(head, {}, toFinishReason(head, reply)), ...(includeUsage ? {} : receipt) },
		...(includeUsage ? [usage] : []),
	];
}

const toFinishReason = ({ isLegacy }: CompletionHead, { finishReason }: ChatReply): string =>
	isLegacy && finishReason === "tool_calls" ? "function_call" : FINISH_REASONS[finishReason];

/** The calls as a part of a message or of a delta, where each has its index as well. */
function toWireCalls(head: CompletionHead, calls: readonly ChatToolCall[], isDelta = false): object {
	const [first] = calls;
	if (first === undefined) return {};
	if (head.isLegacy) return { function_call: { name: first.name, arguments: first.arguments } };
	return {
		tool_calls: calls.map((call, index) => ({ ...(isDelta && { index }), ...toWireCall(head, call) })),
	};
}

const CHUNK = "chat.completion.chunk";

function toChunk(head: CompletionHead, delta: object, finishReason: string | null = null): object {
	return {
		...toWireHead(head),
		object: CHUNK,
		choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
	};
}

/** `extra_content` is where Google's endpoint has it: clients that send calls back as they came keep it. */
const toWireCall = (
	{ showsReceipt }: CompletionHead,
	{ id, name, arguments: text, vendorData }: ChatToolCall,
): object => ({
	id,
	type: "function",
	function: { name, arguments: text },
	...(vendorData === undefined || !showsReceipt ? {} : { extra_content: { stemma: vendorData } }),
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
