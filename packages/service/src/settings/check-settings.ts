import { ConfigurationError } from "@stemma/core/errors";
import { parseBedrockEndpoint } from "@stemma/routing/bedrock";
import { parseOpenAiBaseUrl } from "@stemma/routing/openai-compatible";
import { ApiError } from "../http/api-error";
import { createChatModel, type ModelPlace } from "../models/create-chat-model";
import { nameSettings } from "../models/name-settings";
import { checkBedrockModel, checkProvider, SETTABLE_PROVIDERS, type SettableProvider } from "./check-model";

/** Settings without their key, as they are stored. */
export interface CheckedSettings extends ModelPlace {
	readonly provider: SettableProvider;
	/** Sentences about what is unusual, and no error. */
	readonly warnings: readonly string[];
}

/**
 * Settings as they will be stored: the address as it is called.
 *
 * @throws ApiError 422 that names the field; nothing of the address is repeated, for there may be a secret in it.
 */
export function checkSettings({ provider, base_url, model }: ModelPlace): CheckedSettings {
	const known = checkProvider(provider, SETTABLE_PROVIDERS, "provider");
	return asSettings(() => {
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
 * @throws ApiError 422 that names the field, and repeats nothing of the key.
 */
export function checkKey(settings: ModelPlace, apiKey: string | undefined): void {
	if (settings.provider === "bedrock" && apiKey === undefined) throw credentialRequired();
	asSettings(() => createChatModel(settings, apiKey));
}

/** What the library refuses of its options, as what is refused of the settings. */
function asSettings<Result>(make: () => Result): Result {
	try {
		return make();
	} catch (error) {
		if (!ConfigurationError.is(error)) throw error;
		const { code, message, hint } = error;
		throw new ApiError(422, code === "configuration" ? "invalid_settings" : code, toText(message), {
			...(hint !== undefined && { hint: HINTS[code] ?? toText(hint) }),
			param: PARAMS[code] ?? toParam(message),
			cause: error,
		});
	}
}

const toText = (text: string): string => nameSettings(text, "workspace");

const PARAMS: Readonly<Record<string, string>> = {
	base_url_not_plain: "base_url",
	region_mismatch: "model",
	invalid_credential: "api_key",
	expired_credential: "api_key",
};

/** Where the library speaks of options that settings have none of. */
const HINTS: Readonly<Record<string, string>> = {
	base_url_not_plain: "Write it as https://api.example.com/v1. A key goes into `api_key`.",
};

/** The field that a message begins with. */
const toParam = (message: string): string | undefined =>
	/^`(base_url|model|api_key)`/.exec(toText(message))?.[1];

const credentialRequired = (): ApiError =>
	new ApiError(422, "credential_required", "Bedrock answers nobody without a credential of the workspace.", {
		hint: "Send an `api_key`: a Bedrock API key, ACCESS_KEY_ID:SECRET_ACCESS_KEY, or the JSON that the AWS command line prints.",
		param: "api_key",
	});
