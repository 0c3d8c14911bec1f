import type { Payer } from "@stemma/core";
import type { ConfigurationError } from "@stemma/core/errors";
import { type ErrorTexts, type OptionNames, ProviderError, renameOptions } from "@stemma/routing";

/** Owner of the settings that an error is about. */
export type SettingsOwner = "deployment" | "workspace";

/** Owner of the settings of a model, by who pays for its calls. */
export const toSettingsOwner = (payer: Payer): SettingsOwner =>
	payer === "workspace" ? "workspace" : "deployment";

/** Fields of the settings by the options of the library that they are passed in. */
export const SETTING_BY_OPTION = {
	deployment: { apiKey: "credential", baseUrl: "base_url" },
	workspace: { apiKey: "api_key", credential: "api_key", baseUrl: "base_url" },
} as const satisfies Readonly<Record<SettingsOwner, OptionNames>>;

/** Message and hint of an error of the library for the owner of the settings. Timeouts are in no settings. */
export function describeForOwner(
	error: ConfigurationError | ProviderError,
	owner: SettingsOwner,
): ErrorTexts {
	const { message, hint } = renameOptions(error, SETTING_BY_OPTION[owner]);
	const isTimeout = error.option?.startsWith("timeouts.") === true;
	return { message, hint: isTimeout ? "Try again, or set `model` to one that is quicker." : hint };
}

/** Converts an error for the owner of the settings: library options become the names of the settings. */
export function toConfiguredError(error: unknown, owner: SettingsOwner): unknown {
	if (!ProviderError.is(error)) return error;
	const { attempts } = error;
	const { message, hint } = describeForOwner(error, owner);
	const renamed = new ProviderError(message, { ...error, hint, cause: error.cause });
	if (attempts !== undefined) renamed.attempts = attempts;
	return renamed;
}
