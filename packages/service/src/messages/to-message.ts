import type { ChatToolCall, FinishReason } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { DomainError } from "../errors/domain-error";
import type { ResponderReply } from "../replies/reply";
import { countReplyTokens, toReplyDetails } from "../replies/reply-details";

/** Fields that a message shares with the events of its stream. */
export interface MessageContext {
	/** `msg_…` */
	readonly id: string;
	readonly model: string;
	/** True where the caller may see who pays, and how the model reasons. */
	readonly canSeeReceipt: boolean;
}

const STOP_REASONS: { readonly [reason in FinishReason]: string } = {
	stop: "end_turn",
	tool_calls: "tool_use",
	length: "max_tokens",
	filtered: "refusal",
	other: "end_turn",
};

/** Creates a message as Anthropic has it. @throws DomainError `output_invalid` for a call whose arguments are no JSON. */
export function toMessage(context: MessageContext, reply: ResponderReply): object {
	const { text, reasoning, toolCalls } = reply;
	return {
		...toMessageHead(context),
		content: [
			...(context.canSeeReceipt && reasoning
				? [{ type: "thinking", thinking: reasoning, signature: "" }]
				: []),
			...(text === "" ? [] : [{ type: "text", text, citations: toBlockCitations(reply) }]),
			...toolCalls.map(toCallBlock),
		],
		...toMessageEnd(context, reply),
	};
}

/** Citations of documents with an address, in the form in which Anthropic's models cite pages; `null` for none. */
export function toBlockCitations({ answer }: ResponderReply): readonly object[] | null {
	const citations = (answer?.citations ?? []).flatMap(({ text, title, url, document_url }) => {
		const address = url ?? document_url;
		if (address === undefined) return [];
		return [
			{
				type: "web_search_result_location",
				cited_text: text,
				title,
				url: address,
				encrypted_index: "",
			},
		];
	});
	return citations.length === 0 ? null : citations;
}

export const toMessageHead = ({ id, model }: MessageContext): object => ({
	id,
	type: "message",
	role: "assistant",
	model,
});

/** The fields of a message that are known at its end. */
export const toMessageEnd = (
	{ canSeeReceipt }: MessageContext,
	reply: ResponderReply,
): { readonly stop_reason: string; readonly [field: string]: unknown } => ({
	stop_reason: STOP_REASONS[reply.finishReason],
	stop_sequence: null,
	usage: toUsage(reply),
	stemma: toReplyDetails(reply, canSeeReceipt),
});

/** Tokens that were read from a cache count by themselves. */
function toUsage(reply: ResponderReply): object {
	const { inputTokens = 0, outputTokens = 0, cachedTokens = 0 } = countReplyTokens(reply) ?? {};
	return {
		input_tokens: Math.max(0, inputTokens - cachedTokens),
		cache_creation_input_tokens: 0,
		cache_read_input_tokens: cachedTokens,
		output_tokens: outputTokens,
	};
}

const toCallBlock = ({ id, name, arguments: text }: ChatToolCall): object => ({
	type: "tool_use",
	id,
	name,
	input: parseArguments(name, text),
});

function parseArguments(name: string, text: string): object {
	if (text.trim() === "") return {};
	try {
		const input: unknown = JSON.parse(text);
		if (isJsonObject(input)) return input;
	} catch {
		// Reported below.
	}
	throw new DomainError("output_invalid", `The arguments of the call of "${name}" are not a JSON object.`, {
		hint: "Try again, or choose a model that keeps to schemas.",
	});
}
