import type { ChatModel } from "@stemma/core";
import type { EmbeddingModel, Reranker, ResolvedModel } from "@stemma/routing";
import { type AwsKeys, createBedrockModel, parseBedrockCredential } from "@stemma/routing/bedrock";
import {
	type CapabilityCache,
	createOpenAiCompatibleEmbeddings,
	createOpenAiCompatibleModel,
	type FetchLike,
} from "@stemma/routing/openai-compatible";
import { createChatReranker, createCohereReranker, createTeiReranker } from "@stemma/routing/rerankers";
import { BUILT_IN_MODEL } from "./built-in-task";

/** Credential that signs a call: text that was configured, or the keys of the machine. */
export type ModelCredential = string | AwsKeys;

export interface ModelConnection {
	/** Default: that of the platform. */
	readonly fetch?: FetchLike | undefined;
	/** Cache of the capabilities of endpoints; one for each tenant. */
	readonly capabilityCache?: CapabilityCache | undefined;
}

export type ModelEndpoint = Pick<ResolvedModel, "provider" | "base_url" | "model">;

/**
 * Creates the resolved model that answers, with its resolved credential.
 *
 * @throws ConfigurationError for an invalid credential, address or model.
 */
export function createChatModel(
	{ provider, base_url: baseUrl, model }: ModelEndpoint,
	credential: ModelCredential | undefined,
	{ fetch, capabilityCache }: ModelConnection = {},
): ChatModel {
	if (provider === "extractive") return BUILT_IN_MODEL;
	if (provider === "bedrock")
		return createBedrockModel({
			baseUrl,
			model,
			fetch,
			credential: typeof credential === "object" ? credential : parseBedrockCredential(credential),
		});
	return createOpenAiCompatibleModel({ baseUrl, model, fetch, capabilityCache, ...toApiKey(credential) });
}

/** Creates the resolved embedding model. @throws ConfigurationError as {@link createChatModel} does. */
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

/** Creates the resolved reranker. @throws ConfigurationError as {@link createChatModel} does. */
export function createReranker(
	{ provider, base_url: baseUrl, model }: ModelEndpoint,
	credential: ModelCredential | undefined,
	{ fetch }: Pick<ModelConnection, "fetch"> = {},
): Reranker {
	const options = { baseUrl, model, fetch, ...toApiKey(credential) };
	return provider === "tei" ? createTeiReranker(options) : createCohereReranker(options);
}

/** A model that answers, as one that judges passages. */
export const createModelReranker = (model: ChatModel): Reranker => createChatReranker(model);

/** A key of an endpoint that takes one as it is. */
const toApiKey = (credential: ModelCredential | undefined): { readonly apiKey?: string } =>
	typeof credential === "string" ? { apiKey: credential } : {};
