import type { FinishReason, TokenUsage } from "@stemma/core";
import { asObject, asText, type Fields, isTokenCount } from "../http/lenient-json";

/** Undefined where it is not reported, or reported as nothing at all. The vendor counts cached tokens apart. */
export function readUsage(usage: unknown): TokenUsage | undefined {
	const { inputTokens, outputTokens, cacheReadInputTokens, cacheWriteInputTokens } = asObject(usage);
	if (!isTokenCount(inputTokens) || !isTokenCount(outputTokens)) return undefined;
	const input = inputTokens + toCount(cacheReadInputTokens) + toCount(cacheWriteInputTokens);
	if (input + outputTokens === 0) return undefined;
	return {
		inputTokens: input,
		outputTokens,
		...(isTokenCount(cacheReadInputTokens) && { cachedTokens: cacheReadInputTokens }),
	};
}

const toCount = (value: unknown): number => (isTokenCount(value) ? value : 0);

/** Reads the model's reasoning from a delta or a whole block. Its signature is not part of it. */
export function readReasoning({ reasoningContent }: Fields): string {
	const { text, reasoningText } = asObject(reasoningContent);
	return asText(text) || asText(asObject(reasoningText).text);
}

const FINISH_REASONS: { readonly [reason: string]: FinishReason | undefined } = {
	end_turn: "stop",
	stop_sequence: "stop",
	tool_use: "tool_calls",
	max_tokens: "length",
	// What was written until then stands, as with any other limit.
	model_context_window_exceeded: "length",
	guardrail_intervened: "filtered",
	content_filtered: "filtered",
};

/** Some models say `end_turn` after calls, and `tool_use` without. */
export function toFinishReason(reason: string, hasCalls: boolean): FinishReason {
	const known = Object.hasOwn(FINISH_REASONS, reason) ? FINISH_REASONS[reason] : "other";
	if (known === "stop" || known === "tool_calls") return hasCalls ? "tool_calls" : "stop";
	return known ?? "other";
}

/** Reasons that say that the vendor could not read what the model wrote. */
export const isMalformed = (reason: string): boolean => reason.startsWith("malformed_");
