import type { ChatModel } from "@stemma/core";
import type { Reranker } from "@stemma/routing";
import { createChatReranker, createCohereReranker, createTeiReranker } from "@stemma/routing/rerankers";
import {
	type ModelConnection,
	type ModelCredential,
	type ModelEndpoint,
	toApiKey,
} from "./create-chat-model";

/**
 * Creates the resolved reranker, with its resolved credential.
 *
 * @throws ConfigurationError for an invalid credential, address or model.
 */
export const createReranker = (
	{ provider, base_url: baseUrl, model }: ModelEndpoint,
	credential: ModelCredential | undefined,
	{ fetch }: ModelConnection = {},
): Reranker => {
	const options = { baseUrl, model, fetch, ...toApiKey(credential) };
	return provider === "tei" ? createTeiReranker(options) : createCohereReranker(options);
};

/** A model that answers, as one that judges passages. */
export const createModelReranker = (model: ChatModel): Reranker => createChatReranker(model);
