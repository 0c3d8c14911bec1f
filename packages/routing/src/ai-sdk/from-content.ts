import type { ChatReply, ChatToolCall, FinishReason, TokenUsage } from "@stemma/core";
import { asList, asObject, asText, type Fields, isTokenCount } from "../http/lenient-json";
import type { VendorFailure } from "../http/to-provider-error";

/** The reply, and what it was read from, with an id of its own for each call. */
export type ReadContent =
	| { readonly reply: ChatReply; readonly content: readonly Fields[] }
	| { readonly failure: VendorFailure };

/**
 * Reads what a model has answered: the result of `doGenerate`, or a stream put together. Files, sources and what the
 * vendor's own tools were called with and gave are no part of a reply; an answer that waits for an approval is none.
 */
export function fromContent(result: Fields): ReadContent {
	const content = withDistinctIds(asList(result.content).map(asObject));
	const toolCalls = content.filter(isCall).map(toToolCall);
	const finishReason = readFinishReason(result.finishReason, toolCalls.length > 0);
	if (content.some(({ type }) => type === "tool-approval-request"))
		return { failure: APPROVAL_NOT_SUPPORTED };
	if (typeof finishReason === "object") return { failure: finishReason };
	const text = content.map((part) => (part.type === "text" ? asText(part.text) : "")).join("");
	const usage = readUsage(asObject(result.usage));
	const reasoning = content.map((part) => (part.type === "reasoning" ? asText(part.text) : "")).join("");
	return {
		reply: {
			text,
			...(reasoning && { reasoning }),
			toolCalls,
			finishReason,
			...(usage === undefined ? {} : { usage }),
		},
		content,
	};
}

const APPROVAL_NOT_SUPPORTED: VendorFailure = {
	code: "bad_response",
	hint: "The model waits for the approval of a tool that its vendor runs. It cannot be given here: switch approvals off in the tool's settings.",
};

/** Tools that the vendor runs itself are none of the caller's. */
const isCall = ({ type, toolName, providerExecuted }: Fields): boolean =>
	type === "tool-call" && asText(toolName) !== "" && providerExecuted !== true;

const toToolCall = ({ toolCallId, toolName, input }: Fields): ChatToolCall => ({
	id: asText(toolCallId),
	name: asText(toolName),
	arguments: asText(input),
});

function withDistinctIds(content: readonly Fields[]): readonly Fields[] {
	const usedIds = new Set<string>();
	return content.map((part, index) => {
		if (!isCall(part)) return part;
		const givenId = asText(part.toolCallId);
		const toolCallId =
			givenId === "" || usedIds.has(givenId) ? `call_${index + 1}_${asText(part.toolName)}` : givenId;
		usedIds.add(toolCallId);
		return { ...part, toolCallId, input: readInput(part.input) };
	});
}

/** JSON text by the specification; some models give the value. */
const readInput = (input: unknown): string =>
	typeof input === "string" ? input.trim() || "{}" : JSON.stringify(input ?? {});

const FINISH_REASONS: { readonly [reason: string]: FinishReason | VendorFailure | undefined } = {
	stop: "stop",
	"tool-calls": "stop",
	length: "length",
	"content-filter": "filtered",
	error: { code: "overloaded" },
	interrupted: { code: "stream_truncated" },
};

/** V2 has one word, V3 and V4 a word for all vendors beside that of the vendor. Some say `stop` after calls. */
function readFinishReason(reason: unknown, hasCalls: boolean): FinishReason | VendorFailure {
	const reasonName = asText(reason) || asText(asObject(reason).unified);
	const known = Object.hasOwn(FINISH_REASONS, reasonName) ? FINISH_REASONS[reasonName] : undefined;
	return known === "stop" && hasCalls ? "tool_calls" : (known ?? "other");
}

/** V2 has numbers, V3 and V4 numbers of each kind. Providers write 0 for what the vendor did not report. */
function readUsage({ inputTokens, outputTokens, cachedInputTokens }: Fields): TokenUsage | undefined {
	const input = toCount(inputTokens) ?? toCount(asObject(inputTokens).total);
	const output = toCount(outputTokens) ?? toCount(asObject(outputTokens).total);
	const cached = toCount(cachedInputTokens) ?? toCount(asObject(inputTokens).cacheRead);
	if (input === undefined || output === undefined || input + output === 0) return undefined;
	return { inputTokens: input, outputTokens: output, ...(cached ? { cachedTokens: cached } : {}) };
}

const toCount = (value: unknown): number | undefined => (isTokenCount(value) ? value : undefined);
