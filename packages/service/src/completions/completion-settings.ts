import type { ChatSettings } from "@stemma/core";
import { SETTING_FIELDS } from "@stemma/core/internal";
import type { CompletionRequest } from "./completion-request";

type Setting = keyof ChatSettings;

const isSetting = (name: string): name is Setting => Object.hasOwn(SETTING_FIELDS, name);

/** OpenAI's name of a setting, or of a field that a vendor refused; undefined for what no caller can set. */
export function toParam(field: string | undefined): string | undefined {
	if (field === undefined) return undefined;
	return isSetting(field)
		? SETTING_FIELDS[field]
		: (VENDOR_FIELDS[field] ?? KNOWN_PARAMS.find((name) => name === field));
}

/** Fields of Converse, as its refusals name them. */
const VENDOR_FIELDS: { readonly [field: string]: string | undefined } = {
	"inferenceConfig.maxTokens": "max_tokens",
	outputConfig: "response_format",
};
const KNOWN_PARAMS = [
	...Object.values(SETTING_FIELDS),
	"messages",
	"messages.name",
	"model",
	"tools",
	"tool_choice",
	"response_format",
	"max_tokens",
	"max_completion_tokens",
];

/** The settings of a request. Values that say nothing, as penalties of 0 do, are none. */
export function toChatSettings(request: Omit<CompletionRequest, "messages">): ChatSettings {
	const { temperature, top_p, seed, stop, frequency_penalty, presence_penalty } = request;
	const { logit_bias, reasoning_effort, verbosity, parallel_tool_calls } = request;
	const stops = typeof stop === "string" ? [stop] : (stop ?? []);
	return {
		...(typeof temperature === "number" && { temperature }),
		...(typeof top_p === "number" && { topP: top_p }),
		...(typeof seed === "number" && { seed }),
		...(stops.length > 0 && { stop: stops }),
		...(frequency_penalty && { frequencyPenalty: frequency_penalty }),
		...(presence_penalty && { presencePenalty: presence_penalty }),
		...(logit_bias && Object.keys(logit_bias).length > 0 && { logitBias: logit_bias }),
		...(typeof reasoning_effort === "string" && { reasoningEffort: reasoning_effort }),
		...(typeof verbosity === "string" && { verbosity }),
		...(typeof parallel_tool_calls === "boolean" &&
			request.tools?.length && { parallelToolCalls: parallel_tool_calls }),
	};
}
