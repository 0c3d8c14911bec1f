import { ProviderError } from "@stemma/routing";

/** Owner of the settings that an error is about. */
export type SettingsOwner = "deployment" | "workspace";

/** Options of the library, as errors name them, and the fields of the settings that they come from. */
const SETTING_BY_OPTION: Readonly<Record<SettingsOwner, Readonly<Record<string, string>>>> = {
	deployment: {
		"`apiKey`": "`credential`",
		"`baseUrl`": "`base_url`",
	},
	workspace: {
		"`apiKey`": "`api_key`",
		"`credential`": "`api_key`",
		"`baseUrl`": "`base_url`",
	},
};

/** No settings have them. */
const TIMEOUT_ADVICE = /raise `timeouts\.\w+`/;

/** Rewrites a text for the owner of the settings: library options become the names of the settings. */
export const renameOptions = (text: string, owner: SettingsOwner = "deployment"): string =>
	text
		.replace(TIMEOUT_ADVICE, "set `model` to one that is quicker")
		.replace(/`[\w.]+`/g, (name) => SETTING_BY_OPTION[owner][name] ?? name);

/** Converts an error for the owner of the settings: library options become the names of the settings. */
export function toConfiguredError(error: unknown, owner: SettingsOwner): unknown {
	if (!ProviderError.is(error)) return error;
	const { message, hint, attempts } = error;
	const renamed = new ProviderError(renameOptions(message, owner), {
		...error,
		hint: hint === undefined ? undefined : renameOptions(hint, owner),
		cause: error.cause,
	});
	if (attempts !== undefined) renamed.attempts = attempts;
	return renamed;
}
