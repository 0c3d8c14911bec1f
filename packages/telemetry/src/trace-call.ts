import type { ReceiptRow, TokenUsage } from "@stemma/core";
import { toErrorType } from "./error-type";
import {
	type CalledModel,
	type ModelOperation,
	nameModelSpan,
	toModelAttributes,
	toUsageAttributes,
} from "./genai-attributes";
import type { StartSpan, TracedSpan } from "./span";
import { isUsageClaimed } from "./trace-context";

/** Formats of APIs that chat. Others of the stage `score` do nothing but judge. */
const CHAT_FORMATS: readonly string[] = ["openai-compatible", "bedrock", "extractive"];

/** Returns the operation of a call in a stage. The conventions define no operation for rerankers. */
export function toOperation({ stage, provider }: Pick<ReceiptRow, "stage" | "provider">): ModelOperation {
	if (stage === "embed" || stage === "index") return "embeddings";
	return stage === "score" && !CHAT_FORMATS.includes(provider) ? "rerank" : "chat";
}

/** The span of one call to a vendor that is answered at once. */
export interface CallSpan {
	finish(usage: TokenUsage | undefined): void;
	fail(error: unknown): void;
}

/** Starts the span of a call that makes vectors or judges passages. */
export function traceCall(
	start: StartSpan,
	operation: ModelOperation,
	called: CalledModel,
): CallSpan | undefined {
	const span = start({
		name: nameModelSpan(operation, called.model),
		kind: "client",
		attributes: toModelAttributes(operation, called),
	});
	return span && toCallSpan(span);
}

const toCallSpan = (span: TracedSpan): CallSpan => ({
	finish(usage) {
		if (usage !== undefined && !isUsageClaimed(span.traceContext)) span.set(toUsageAttributes(usage));
		span.end();
	},
	fail(error) {
		span.fail(toErrorType(error, "model_failed"));
		span.end();
	},
});
