import type { ChatCompletionChunk, ChatCompletionUsage } from "@stemma/client";
import type {
	ChatEvent,
	ChatReply,
	ChatToolCall,
	FinishReason,
	Json,
	ReceiptRow,
	TokenUsage,
} from "@stemma/core";

/** A reply of which not all chunks are there yet. */
export interface PartialReply {
	text: string;
	reasoning: string;
	readonly toolCalls: Map<number, PartialToolCall>;
	finishReason: string | undefined;
	usage: TokenUsage | undefined;
	receipt: ReceiptRow | undefined;
	id: string;
	model: string;
}

interface PartialToolCall {
	id: string;
	name: string;
	arguments: string;
	providerMetadata?: Json;
}

export const createPartialReply = (): PartialReply => ({
	text: "",
	reasoning: "",
	toolCalls: new Map(),
	finishReason: undefined,
	usage: undefined,
	receipt: undefined,
	id: "",
	model: "",
});

type Delta = ChatCompletionChunk["choices"][number]["delta"];

/** Adds a chunk to a reply; gives what is new in it to show. */
export function readChunk(
	reply: PartialReply,
	{ id, model, choices, usage, stemma }: ChatCompletionChunk,
): ChatEvent[] {
	reply.id ||= id ?? "";
	reply.model ||= model ?? "";
	if (usage !== undefined && usage !== null) reply.usage = toUsage(usage);
	reply.receipt = stemma?.receipt[0] ?? reply.receipt;
	const [choice] = choices;
	if (choice === undefined) return [];
	reply.finishReason = choice.finish_reason ?? reply.finishReason;
	return readDelta(reply, choice.delta ?? {});
}

function readDelta(
	reply: PartialReply,
	{ content, reasoning_content: reasoning, tool_calls = [] }: Delta,
): ChatEvent[] {
	for (const { index, id, function: calledFunction, extra_content } of tool_calls) {
		const call: PartialToolCall = reply.toolCalls.get(index) ?? { id: "", name: "", arguments: "" };
		if (extra_content !== undefined) call.providerMetadata = extra_content.stemma;
		call.id ||= id ?? "";
		call.name += calledFunction?.name ?? "";
		call.arguments += calledFunction?.arguments ?? "";
		reply.toolCalls.set(index, call);
	}
	reply.text += content ?? "";
	reply.reasoning += reasoning ?? "";
	return [
		...(reasoning ? [{ type: "reasoning.delta" as const, text: reasoning }] : []),
		...(content ? [{ type: "text.delta" as const, text: content }] : []),
	];
}

export function toReply(reply: PartialReply): ChatReply {
	const { text, reasoning, toolCalls, finishReason, usage, receipt, id, model } = reply;
	const calls = [...toolCalls].sort(([one], [other]) => one - other).map(([, call]) => call);
	return {
		text,
		...(reasoning === "" ? {} : { reasoning }),
		toolCalls: calls,
		finishReason: toFinishReason(finishReason, calls),
		...(usage === undefined ? {} : { usage }),
		...(receipt === undefined ? {} : { attempts: receipt.attempts, receipt }),
		...(id === "" ? {} : { responseId: id }),
		...(model === "" ? {} : { responseModel: model }),
	};
}

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
	stop: "stop",
	tool_calls: "tool_calls",
	length: "length",
	content_filter: "filtered",
};

function toFinishReason(reason: string | undefined, calls: readonly ChatToolCall[]): FinishReason {
	if (reason !== undefined) return FINISH_REASONS[reason] ?? "other";
	return calls.length > 0 ? "tool_calls" : "stop";
}

function toUsage({
	prompt_tokens,
	completion_tokens,
	prompt_tokens_details,
}: ChatCompletionUsage): TokenUsage {
	const cachedTokens = prompt_tokens_details?.cached_tokens;
	return {
		inputTokens: prompt_tokens,
		outputTokens: completion_tokens,
		...(cachedTokens === undefined ? {} : { cachedTokens }),
	};
}
