import type { SimulatedReply, SimulatedToolCall, SimulatedUsage } from "./behaviour.ts";
import type { ConverseRequest } from "./converse-request.ts";

/** What a call of a model took, as this vendor tells it. */
const METRICS = { latencyMs: 42 };

/** The body of an answer of Converse. */
export function toMessage(reply: SimulatedReply, request: ConverseRequest): object {
	return {
		metrics: METRICS,
		output: { message: { content: toContent(reply), role: "assistant" } },
		stopReason: toStopReason(reply),
		...toUsage(reply, request),
	};
}

/** What stands in the last event of a stream; nothing where no usage is reported. */
export function toMetadata(reply: SimulatedReply, request: ConverseRequest): object | undefined {
	return reply.usage === "none" ? undefined : { metrics: METRICS, ...toUsage(reply, request) };
}

export const toStopReason = ({ stopReason, toolCalls = [] }: SimulatedReply): string =>
	stopReason ?? (toolCalls.length > 0 ? "tool_use" : "end_turn");

export const toToolUseId = ({ id }: SimulatedToolCall, index: number): string =>
	id ?? `tooluse_${String(index + 1).padStart(22, "0")}`;

function toContent({ reasoning, text = "", toolCalls = [] }: SimulatedReply): object[] {
	return [
		...(reasoning === undefined ? [] : [{ reasoningContent: toReasoning(reasoning) }]),
		...(text === "" ? [] : [{ text }]),
		...toolCalls.map((call, index) => ({
			toolUse: { input: toInput(call.input), name: call.name, toolUseId: toToolUseId(call, index) },
		})),
	];
}

function toReasoning(reasoning: Exclude<SimulatedReply["reasoning"], undefined>): object {
	if (typeof reasoning === "string") return { reasoningText: { text: reasoning } };
	const { text = "", signature, redactedContent } = reasoning;
	if (redactedContent !== undefined) return { redactedContent };
	return { reasoningText: { text, ...(signature === undefined ? {} : { signature }) } };
}

/** JSON text is what it says, unless it is broken. */
function toInput(input: unknown): unknown {
	if (typeof input !== "string") return input;
	try {
		return JSON.parse(input);
	} catch {
		return input;
	}
}

function toUsage(reply: SimulatedReply, request: ConverseRequest): object {
	if (reply.usage === "none") return {};
	const { inputTokens, outputTokens, ...cache } = reply.usage ?? countTokens(reply, request);
	const { cacheReadInputTokens = 0, cacheWriteInputTokens = 0 } = cache;
	const totalTokens = inputTokens + outputTokens + cacheReadInputTokens + cacheWriteInputTokens;
	return { usage: { ...cache, inputTokens, outputTokens, totalTokens } };
}

function countTokens(reply: SimulatedReply, request: ConverseRequest): SimulatedUsage {
	const count = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);
	return {
		inputTokens: count([request.system, request.messages]),
		outputTokens: count([reply.text, reply.reasoning, reply.toolCalls]),
	};
}
