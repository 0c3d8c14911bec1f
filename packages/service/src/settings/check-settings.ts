import { ConfigurationError } from "@stemma/core/errors";
import type { OptionNames } from "@stemma/routing";
import { parseBedrockEndpoint } from "@stemma/routing/bedrock";
import { parseOpenAiBaseUrl } from "@stemma/routing/openai-compatible";
import { DomainError } from "../errors/domain-error";
import { createChatModel, type ModelEndpoint } from "../models/create-model";
import { describeForOwner, SETTING_BY_OPTION } from "../models/option-names";
import { checkBedrockModel, checkProvider, SETTABLE_PROVIDERS, type SettableProvider } from "./check-model";

/** Settings without their key, as they are stored. */
export interface CheckedSettings extends ModelEndpoint {
	readonly provider: SettableProvider;
	/** Sentences about what is unusual, and no error. */
	readonly warnings: readonly string[];
}

/**
 * Settings as they will be stored: the address as it is called.
 *
 * @throws DomainError 422 that names the field; nothing of the address is repeated, for there may be a secret in it.
 */
export function checkSettings({ provider, base_url, model }: ModelEndpoint): CheckedSettings {
	const known = checkProvider(provider, SETTABLE_PROVIDERS, "provider");
	return withSettingsErrors(() => {
		if (known === "openai-compatible")
			return { provider: known, base_url: parseOpenAiBaseUrl(base_url).baseUrl, model, warnings: [] };
		const endpoint = parseBedrockEndpoint(base_url);
		const warnings = checkBedrockModel(model, endpoint.region, "model");
		return { provider: known, base_url: endpoint.baseUrl, model, warnings };
	});
}

/**
 * Tries whether a model can be made of settings and a key.
 *
 * @throws DomainError 422 that names the field, and repeats nothing of the key.
 */
export function checkKey(settings: ModelEndpoint, apiKey: string | undefined): void {
	if (settings.provider === "bedrock" && apiKey === undefined) throw credentialRequiredError();
	withSettingsErrors(() => createChatModel(settings, apiKey));
}

/** Converts errors of the library about its options to errors about the settings. */
function withSettingsErrors<Result>(make: () => Result): Result {
	try {
		return make();
	} catch (error) {
		if (!ConfigurationError.is(error)) throw error;
		const { code, option } = error;
		const { message, hint } = describeForOwner(error, "workspace");
		throw new DomainError(code === "configuration" ? "invalid_settings" : code, message, {
			hint: HINT_BY_CODE[code] ?? hint,
			param: option && (PARAM_BY_OPTION[option] ?? option),
			cause: error,
		});
	}
}

const PARAM_BY_OPTION: OptionNames = SETTING_BY_OPTION.workspace;

/** Hints that replace the library's own where it names options that the settings do not have. */
const HINT_BY_CODE: Readonly<Record<string, string>> = {
	base_url_not_plain: "Write it as https://api.example.com/v1. A key goes into `api_key`.",
};

const credentialRequiredError = (): DomainError =>
	new DomainError("credential_required", "Bedrock requires a credential of the workspace.", {
		hint: "Send an `api_key`: a Bedrock API key, ACCESS_KEY_ID:SECRET_ACCESS_KEY, or the JSON that the AWS command line prints.",
		param: "api_key",
	});
