import type { ChatCompletionRequest } from "@stemma/client";
import type { ChatRequest, ChatSettings } from "@stemma/core";

/** The settings of a request in OpenAI's names; the service passes them on or refuses them. */
export const toSettingFields = (settings: ChatSettings = {}): Partial<ChatCompletionRequest> => ({
	...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
	...(settings.topP === undefined ? {} : { top_p: settings.topP }),
	...(settings.seed === undefined ? {} : { seed: settings.seed }),
	...(settings.stop === undefined ? {} : { stop: settings.stop }),
	...(settings.frequencyPenalty === undefined ? {} : { frequency_penalty: settings.frequencyPenalty }),
	...(settings.presencePenalty === undefined ? {} : { presence_penalty: settings.presencePenalty }),
	...(settings.logitBias === undefined ? {} : { logit_bias: settings.logitBias }),
	...(settings.reasoningEffort === undefined ? {} : { reasoning_effort: settings.reasoningEffort }),
	...(settings.verbosity === undefined ? {} : { verbosity: settings.verbosity }),
	...(settings.parallelToolCalls === undefined ? {} : { parallel_tool_calls: settings.parallelToolCalls }),
});

/** The output that is wanted, as OpenAI's `response_format`. */
export function toResponseFormat({
	outputSchema: schema,
	output,
}: ChatRequest): ChatCompletionRequest["response_format"] {
	if (schema === undefined) return output && { type: "json_object" };
	return { type: "json_schema", json_schema: { name: "output", ...output, schema } };
}

/** A choice of tools as OpenAI's `tool_choice`. */
export const toToolChoice = (
	choice: ChatRequest["toolChoice"] = "auto",
): NonNullable<ChatCompletionRequest["tool_choice"]> =>
	typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
