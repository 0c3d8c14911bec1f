import type { EmbeddingModel } from "../../embedding-model";
import { createEmbeddings } from "./model";
import { type OpenAiCompatibleEmbeddingsOptions, readEmbeddingsOptions } from "./options";

/**
 * Vectors from any endpoint that speaks OpenAI's embeddings: OpenAI, most other vendors, gateways, and local servers. Calls
 * fail with a `ProviderError`; an aborted one with the reason of its signal.
 *
 * @throws ConfigurationError that names the option.
 */
export function createOpenAiCompatibleEmbeddings(options: OpenAiCompatibleEmbeddingsOptions): EmbeddingModel {
	return createEmbeddings(readEmbeddingsOptions(options));
}
