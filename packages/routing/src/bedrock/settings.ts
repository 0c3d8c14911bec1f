import type { ChatRequest, ChatSettings } from "@stemma/core";
import type { Endpoint } from "../http/to-provider-error";
import { createUnsupportedSettingError, listSettings, type SettingName } from "../http/unsupported-setting";

/** Converse refuses what is higher; other vendors go up to 2. */
export const MAX_TEMPERATURE = 1;

/** Fields of a request to Converse, as refusals name them, that a setting goes into. */
const FIELDS: { readonly [field: string]: SettingName } = {
	"inferenceConfig.temperature": "temperature",
	"inferenceConfig.topP": "topP",
	"inferenceConfig.stopSequences": "stop",
};

/** Checks whether Converse supports a setting: it has three, and several calls at a time are its default. */
function isSupported(name: SettingName, { temperature = 0, parallelToolCalls }: ChatSettings): boolean {
	if (name === "temperature") return temperature <= MAX_TEMPERATURE;
	if (name === "parallelToolCalls") return parallelToolCalls === true;
	return Object.values(FIELDS).includes(name);
}

/** @throws ProviderError `unsupported_parameter` for the first setting that Converse has no field for. */
export function assertSettings({ settings = {} }: ChatRequest, endpoint: Endpoint): void {
	const unsupported = listSettings(settings).find((name) => !isSupported(name, settings));
	if (unsupported !== undefined) throw createUnsupportedSettingError(unsupported, endpoint);
}

/** The setting of a request that a refused field stands for, which must be kept. */
export function findSetting(field: string, { settings }: ChatRequest): SettingName | undefined {
	return listSettings(settings).find((name) => FIELDS[field] === name);
}
