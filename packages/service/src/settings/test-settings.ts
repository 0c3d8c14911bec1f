import type { LlmSettingsTest } from "@stemma/client";
import type { Stage, TokenUsage } from "@stemma/core";
import { isStemmaError } from "@stemma/core/errors";
import type { CallMeter } from "../models/metering/call-meter";
import { meterModel } from "../models/metering/metered-model";
import type { Models } from "../models/models";
import type { PreparedSettings } from "./llm-settings";

/** Enough for a word, and for models that will not be asked for less. */
const MAX_OUTPUT_TOKENS = 16;

const TEST_REQUEST = { messages: [{ role: "user", content: "Reply with OK." }] } as const;

const STAGES: readonly Stage[] = ["rewrite", "embed", "score", "answer", "index"];

export interface TestSettingsOptions {
	readonly models: Models;
	readonly meter: CallMeter;
	readonly signal: AbortSignal;
}

/** Makes one real, tiny call with the very adapter that answers questions. */
export async function testSettings(
	prepared: PreparedSettings,
	{ models, meter, signal }: TestSettingsOptions,
): Promise<LlmSettingsTest> {
	const { settings, warnings } = prepared;
	const resolved = models.resolve({ workspace: prepared });
	const meteredModel = meterModel(
		{ ...resolved, reason: "A test of the workspace's settings." },
		meter,
		"answer",
	);
	const startedAt = performance.now();
	const outcome = await meteredModel
		.generate({ ...TEST_REQUEST, maxOutputTokens: MAX_OUTPUT_TOKENS }, { signal })
		.then(({ usage }) => ({ ok: true, ...(usage && { usage: toUsage(usage) }) }))
		.catch((error: unknown) => toFailure(error, signal));
	return {
		latency_ms: Math.round(performance.now() - startedAt),
		model: settings.model,
		stages: models
			.plan(STAGES, { workspace: prepared })
			.filter(({ payer }) => payer === "workspace")
			.map(({ stage }) => stage),
		embeddings_checked: false,
		...(warnings.length > 0 && { warnings }),
		...outcome,
	};
}

const toUsage = ({ inputTokens, outputTokens, cachedTokens }: TokenUsage) => ({
	input_tokens: inputTokens,
	output_tokens: outputTokens,
	...(cachedTokens !== undefined && { cached_tokens: cachedTokens }),
});

function toFailure(error: unknown, signal: AbortSignal) {
	signal.throwIfAborted();
	if (!isStemmaError(error)) throw error;
	const { code, message, hint } = error;
	return { ok: false, error: { code, message, ...(hint !== undefined && { hint }) } };
}
