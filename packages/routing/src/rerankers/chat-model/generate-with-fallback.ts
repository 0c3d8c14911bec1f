import type { ChatCallOptions, ChatModel, ChatReply, ChatRequest } from "@stemma/core";
import { ProviderError } from "../../provider-error";

/** Feature that a request can do without: the system message says the same, or it only makes the answer more stable. */
type OptionalFeature = "temperature" | "outputSchema";
type OptionalFeatures = ReadonlySet<OptionalFeature>;

export type Generate = (request: ChatRequest, options: ChatCallOptions) => Promise<ChatReply>;

/** Asks one model, and asks again without an extra that it turns out not to take. */
export function createFallbackGenerate(model: ChatModel): Generate {
	/** Learned from what the model refuses, so that later calls need not find out again. */
	let unsupported: OptionalFeatures = new Set();

	return async (request, options) => {
		let attempts = 0;
		for (let omitted = unsupported; ; ) {
			const current = omitFeatures(request, omitted);
			try {
				const reply = await model.generate(current, options);
				unsupported = new Set([...unsupported, ...omitted]);
				return { ...reply, attempts: attempts + (reply.attempts ?? 1) };
			} catch (error) {
				if (!ProviderError.is(error)) throw error;
				attempts += error.attempts ?? 1;
				error.attempts = attempts;
				const rejected = findRejectedFeatures(error).filter((feature) => current[feature] !== undefined);
				if (rejected.length === 0) throw error;
				omitted = new Set([...omitted, ...rejected]);
			}
		}
	};
}

function omitFeatures(request: ChatRequest, omitted: OptionalFeatures): ChatRequest {
	const { temperature, outputSchema, ...rest } = request;
	return {
		...rest,
		...(temperature === undefined || omitted.has("temperature") ? {} : { temperature }),
		...(outputSchema === undefined || omitted.has("outputSchema") ? {} : { outputSchema }),
	};
}

/** The extras that an error names, under the names that formats give them, or both where it names nothing. */
function findRejectedFeatures({ code, field }: ProviderError): readonly OptionalFeature[] {
	if (code !== "bad_request") return [];
	if (field === undefined) return ["temperature", "outputSchema"];
	if (/temperature/i.test(field)) return ["temperature"];
	return /response_?format|schema|output_?config/i.test(field) ? ["outputSchema"] : [];
}
