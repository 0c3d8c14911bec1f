import type { ChatModel, ChatRequest } from "@stemma/core";

/** API formats that have no field for `parallelToolCalls: false`, and refuse it. */
const FORMATS_WITHOUT_PARALLEL_FIELD: readonly string[] = ["bedrock"];

/**
 * A model for `functions`, whose reply has room for one call: the vendor is asked for one call where its format has a
 * field for that. `withReplyValidation` checks every reply.
 */
export function toSingleCallModel(model: ChatModel): ChatModel {
	if (!FORMATS_WITHOUT_PARALLEL_FIELD.includes(model.provider)) return model;
	return {
		...model,
		generate: (request, options) => model.generate(omitParallelToolCalls(request), options),
		stream: (request, options) => model.stream(omitParallelToolCalls(request), options),
	};
}

function omitParallelToolCalls({ settings = {}, ...request }: ChatRequest): ChatRequest {
	const { parallelToolCalls: _, ...others } = settings;
	return { ...request, settings: others };
}
