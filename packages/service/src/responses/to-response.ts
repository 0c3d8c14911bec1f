import type { FinishReason, JsonObject } from "@stemma/core";
import type { ResponderReply } from "../replies/reply";
import { countReplyTokens, toReplyDetails } from "../replies/reply-details";
import { type OutputOptions, toOutputItems } from "./output-items";
import type { ResponseOutcome } from "./repositories/response-repository";

/** Creates a response as OpenAI has it, of its head and what has become of it. */
export function toResponse(head: JsonObject, outcome: ResponseOutcome, options: OutputOptions): object {
	const base = { ...head, error: null, incomplete_details: null, output: [], usage: null };
	switch (outcome.status) {
		case "completed":
			return { ...base, ...toCompletedFields(outcome.reply, options) };
		case "failed":
			return { ...base, status: outcome.status, error: outcome.error };
		default:
			return { ...base, status: outcome.status };
	}
}

const INCOMPLETE_REASONS: { readonly [reason in FinishReason]?: string } = {
	length: "max_output_tokens",
	filtered: "content_filter",
};

function toCompletedFields(reply: ResponderReply, options: OutputOptions): object {
	const reason = INCOMPLETE_REASONS[reply.finishReason];
	return {
		status: reason === undefined ? "completed" : "incomplete",
		...(reason !== undefined && { incomplete_details: { reason } }),
		output: toOutputItems(reply, options),
		usage: toUsage(reply),
		stemma: toReplyDetails(reply, options.canSeeReceipt),
	};
}

function toUsage(reply: ResponderReply): object | null {
	const tokens = countReplyTokens(reply);
	if (tokens === undefined) return null;
	const { inputTokens, outputTokens, cachedTokens = 0 } = tokens;
	return {
		input_tokens: inputTokens,
		input_tokens_details: { cached_tokens: cachedTokens },
		output_tokens: outputTokens,
		output_tokens_details: { reasoning_tokens: 0 },
		total_tokens: inputTokens + outputTokens,
	};
}
