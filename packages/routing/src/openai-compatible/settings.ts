import type { ChatSettings } from "@stemma/core";
import type { Fields } from "../http/fields";
import { listSettings, type SettingName } from "../http/unsupported-setting";

/** OpenAI's name of each setting. */
const FIELDS: { readonly [setting in SettingName]-?: string } = {
	temperature: "temperature",
	topP: "top_p",
	seed: "seed",
	stop: "stop",
	frequencyPenalty: "frequency_penalty",
	presencePenalty: "presence_penalty",
	logitBias: "logit_bias",
	reasoningEffort: "reasoning_effort",
	verbosity: "verbosity",
	parallelToolCalls: "parallel_tool_calls",
};

/** The settings as fields of a request. Endpoints refuse `parallel_tool_calls` where there are no tools to call. */
export const toSettingFields = (settings: ChatSettings = {}, hasTools: boolean): Fields =>
	Object.fromEntries(
		listSettings(settings)
			.filter((name) => hasTools || name !== "parallelToolCalls")
			.map((name) => [FIELDS[name], settings[name]]),
	);

/** The setting of a request that a field stands for; undefined where the field is none of them. */
export const findSetting = (field: string, settings: ChatSettings | undefined): SettingName | undefined =>
	listSettings(settings).find((name) => FIELDS[name] === field);
