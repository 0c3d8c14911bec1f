import type { EmbeddingModel } from "@stemma/routing";
import { createOpenAiCompatibleEmbeddings } from "@stemma/routing/openai-compatible";
import {
	type ModelConnection,
	type ModelCredential,
	type ModelEndpoint,
	toApiKey,
} from "./create-chat-model";

/**
 * Creates the resolved embedding model, with its resolved credential.
 *
 * @throws ConfigurationError for an invalid credential, address or model.
 */
export const createEmbeddingModel = (
	{ base_url: baseUrl, model, dimensions }: ModelEndpoint & { readonly dimensions?: number | undefined },
	credential: ModelCredential | undefined,
	{ fetch, capabilityCache }: ModelConnection = {},
): EmbeddingModel =>
	createOpenAiCompatibleEmbeddings({
		baseUrl,
		model,
		dimensions,
		fetch,
		capabilityCache,
		...toApiKey(credential),
	});
