import type { ChatRequest, ChatSettings } from "@stemma/core";
import type { Endpoint } from "../http/to-provider-error";
import { createUnsupportedSettingError, listSettings, type SettingName } from "../http/unsupported-setting";
import type { AiSdkCallOptions } from "./wire";

/** The settings that the AI SDK has call options for; others are each vendor's `providerOptions`. */
const SUPPORTED_SETTINGS: readonly SettingName[] = [
	"temperature",
	"topP",
	"seed",
	"stop",
	"frequencyPenalty",
	"presencePenalty",
];

/** @throws ProviderError `unsupported_parameter` for the first setting that the AI SDK has no call option for. */
export function assertSettings({ settings = {} }: ChatRequest, endpoint: Endpoint): void {
	const isSupported = (name: SettingName): boolean =>
		SUPPORTED_SETTINGS.includes(name) ||
		(name === "parallelToolCalls" && settings.parallelToolCalls === true);
	const unsupported = listSettings(settings).find((name) => !isSupported(name));
	if (unsupported !== undefined) throw createUnsupportedSettingError(unsupported, endpoint);
}

/** The settings as call options. */
export function toSettingOptions(settings: ChatSettings = {}): Partial<AiSdkCallOptions> {
	const { temperature, topP, seed, stop, frequencyPenalty, presencePenalty } = settings;
	return {
		...(temperature !== undefined && { temperature }),
		...(topP !== undefined && { topP }),
		...(seed !== undefined && { seed }),
		...(stop !== undefined && { stopSequences: [...stop] }),
		...(frequencyPenalty !== undefined && { frequencyPenalty }),
		...(presencePenalty !== undefined && { presencePenalty }),
	};
}
