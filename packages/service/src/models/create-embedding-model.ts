import type { EmbeddingModel } from "@stemma/routing";
import { createOpenAiCompatibleEmbeddings } from "@stemma/routing/openai-compatible";
import {
	type ModelConnection,
	type ModelCredential,
	type ModelEndpoint,
	toApiKey,
} from "./create-chat-model";

/**
 * What makes vectors, with the credential that was decided on.
 *
 * @throws ConfigurationError for a credential, an address or a model that cannot be.
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
