import type { ChatModel } from "@stemma/core";
import { createModel } from "./model";
import { type OpenAiCompatibleOptions, readOptions } from "./options";

/**
 * A model at any endpoint that speaks OpenAI's chat completions: OpenAI, most other vendors, gateways, and local servers.
 * Calls fail with a `ProviderError`; an aborted one with the reason of its signal.
 *
 * @throws ConfigurationError that names the option.
 */
export function createOpenAiCompatibleModel(options: OpenAiCompatibleOptions): ChatModel {
	return createModel(readOptions(options));
}
