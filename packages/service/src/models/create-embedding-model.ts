import type { EmbeddingModel } from "@stemma/routing";
import { createOpenAiCompatibleEmbeddings } from "@stemma/routing/openai-compatible";
import { type ModelCredential, type ModelPlace, type ModelReach, toApiKey } from "./create-chat-model";

/**
 * What makes vectors, with the credential that was decided on.
 *
 * @throws ConfigurationError for a credential, an address or a model that cannot be.
 */
export const createEmbeddingModel = (
	{ base_url: baseUrl, model, dimensions }: ModelPlace & { readonly dimensions?: number | undefined },
	credential: ModelCredential | undefined,
	{ fetch, memory }: ModelReach = {},
): EmbeddingModel =>
	createOpenAiCompatibleEmbeddings({ baseUrl, model, dimensions, fetch, memory, ...toApiKey(credential) });
