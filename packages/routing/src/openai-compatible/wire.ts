import type { FinishReason, TokenUsage } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { asList, asObject, asText, type Fields, isTokenCount } from "../http/lenient-json";

/** The text of a delta or message: as a string, or as parts. */
export function readText({ content }: Fields): string {
	if (!Array.isArray(content)) return asText(content);
	return content.map((part) => asText(asObject(part).text)).join("");
}

/** The calls, or pieces of them; text-generation-inference sends one as it is, without a list. */
export const readCalls = ({ tool_calls: calls }: Fields): readonly unknown[] =>
	isJsonObject(calls) ? [calls] : asList(calls);

/** Reads the model's reasoning, under the names that vendors give it. */
export function readReasoning({ reasoning, reasoning_content: content, content: parts }: Fields): string {
	const named = asText(reasoning) || asText(content);
	if (named !== "") return named;
	return asList(parts)
		.flatMap((part) => asList(asObject(part).thinking))
		.map((part) => asText(asObject(part).text))
		.join("");
}

/** Undefined where it is not reported, or reported as nothing at all. */
export function readUsage(body: Fields): TokenUsage | undefined {
	const usage = asObject(body.usage ?? asObject(body.x_groq).usage);
	const { prompt_tokens: input, completion_tokens: output } = usage;
	if (!(isTokenCount(input) && isTokenCount(output) && input + output)) return undefined;
	const cached = asObject(usage.prompt_tokens_details).cached_tokens ?? usage.prompt_cache_hit_tokens;
	return {
		inputTokens: input,
		outputTokens: output,
		...(isTokenCount(cached) && { cachedTokens: cached }),
	};
}

const FINISH_REASONS: { readonly [reason: string]: FinishReason | undefined } = {
	stop: "stop",
	eos: "stop",
	eos_token: "stop",
	stop_sequence: "stop",
	length: "length",
	model_length: "length",
	max_tokens: "length",
	tool_calls: "tool_calls",
	function_call: "tool_calls",
	content_filter: "filtered",
};

/**
 * Reads a vendor's finish reason. Some say `stop` after calls, or `tool_calls` without calls; some say nothing. Some add
 * more after a colon, or write in capitals.
 */
export function toFinishReason(reason: string | undefined, hasCalls: boolean): FinishReason {
	const name = (reason ?? "").replace(/:.*/s, "").toLowerCase();
	const known = name === "" ? "stop" : Object.hasOwn(FINISH_REASONS, name) ? FINISH_REASONS[name] : "other";
	if (known === "stop" || known === "tool_calls") return hasCalls ? "tool_calls" : "stop";
	return known ?? "other";
}

/** Reasons that say that the vendor broke down. */
export const isModelFailure = (reason: string | undefined): boolean =>
	/^(error|insufficient_system_resource)$/i.test(reason ?? "");

/** Reasons that say that there are calls. */
export const expectsToolCalls = (reason: string | undefined): boolean =>
	/^(tool_calls|function_call)$/i.test(reason ?? "");
