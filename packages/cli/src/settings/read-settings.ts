import type { LlmSettings, LlmSettingsApi } from "@stemma/client";
import { ConfigurationError } from "@stemma/core/errors";
import { chooseEndpoint, completeEndpoint, type Endpoint } from "./choose-endpoint";
import type { EndpointOptions } from "./endpoint-options";

/** Reads the endpoint that the options name; a vendor is looked up in the service's catalogue. */
export async function readTrial(
	llmSettings: LlmSettingsApi,
	options: EndpointOptions,
): Promise<Partial<Endpoint>> {
	const catalogue = options.vendor === undefined ? [] : (await llmSettings.providers()).data;
	return chooseEndpoint(options, catalogue);
}

/**
 * Reads the endpoint that the options name, completed by the stored one. @throws ConfigurationError when the options
 * name nothing, or not enough.
 */
export async function readUpdate(llmSettings: LlmSettingsApi, options: EndpointOptions): Promise<Endpoint> {
	const chosen = await readTrial(llmSettings, options);
	if (Object.keys(chosen).length === 0 && !hasKeyOption(options))
		throw new ConfigurationError("There is nothing to set.", {
			hint: "Pass --vendor or --provider and --base-url, --model, and where the key is. Examples: stemma settings set --help",
		});
	const stored = chosen.provider === undefined ? await readStored(llmSettings) : undefined;
	return completeEndpoint(chosen, stored);
}

const hasKeyOption = ({ apiKey, apiKeyEnv, apiKeyStdin }: EndpointOptions): boolean =>
	apiKey === false || apiKeyEnv !== undefined || apiKeyStdin;

/** Settings as they are stored; `undefined` where none are. */
async function readStored(llmSettings: LlmSettingsApi): Promise<LlmSettings | undefined> {
	const settings = await llmSettings.get();
	return settings.provider === null ? undefined : settings;
}
