import type { ChatSettings } from "@stemma/core";
import type { ProviderError } from "../provider-error";
import { type Endpoint, toProviderError } from "./to-provider-error";

/** A setting of a request, by its name in `ChatSettings`. */
export type SettingName = keyof ChatSettings;

/** The settings of a request that are given, by name. */
export const listSettings = (settings: ChatSettings = {}): readonly SettingName[] =>
	(Object.keys(settings) as SettingName[]).filter((name) => settings[name] !== undefined);

/** The error of a call that nobody was sent, because the format has no such setting. */
export function createUnsupportedSettingError(setting: SettingName, endpoint: Endpoint): ProviderError {
	const error = toProviderError({ code: "unsupported_parameter", field: setting }, endpoint);
	error.attempts = 0;
	return error;
}
