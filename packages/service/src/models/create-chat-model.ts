import type { ChatModel } from "@stemma/core";
import type { ResolvedModel } from "@stemma/routing";
import { type AwsKeys, createBedrockModel, parseBedrockCredential } from "@stemma/routing/bedrock";
import {
	type CapabilityCache,
	createOpenAiCompatibleModel,
	type FetchLike,
} from "@stemma/routing/openai-compatible";
import { BUILT_IN_MODEL } from "./built-in-task";

/** Credential that signs a call: text that was configured, or the keys of the machine. */
export type ModelCredential = string | AwsKeys;

/** Connection to the endpoint of a model. */
export interface ModelConnection {
	/** Default: that of the platform. */
	readonly fetch?: FetchLike | undefined;
	/** Cache of the capabilities of endpoints; one for each tenant. */
	readonly capabilityCache?: CapabilityCache | undefined;
}

/** Model and its address. */
export type ModelEndpoint = Pick<ResolvedModel, "provider" | "base_url" | "model">;

/**
 * The model that was decided on, with the credential that was decided on.
 *
 * @throws ConfigurationError for a credential, an address or a model that cannot be.
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

/** A key of an endpoint that takes one as it is. */
export const toApiKey = (credential: ModelCredential | undefined): { readonly apiKey?: string } =>
	typeof credential === "string" ? { apiKey: credential } : {};
