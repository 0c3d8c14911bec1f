import type { CredentialSource, DeploymentModels } from "@stemma/routing";
import type { Secret } from "../encryption/secret";
import type { PriceList } from "../pricing/price-list";

/** A provider that the operator has configured. */
export interface DeploymentProvider {
	/** The API format. */
	readonly provider: "openai-compatible" | "bedrock";
	readonly baseUrl: string;
	/** Left out for servers that want none, and where the machine has credentials. */
	readonly credential?: Secret | undefined;
	readonly defaultModel: string;
	/** Models that a workspace may choose besides the default. */
	readonly allowedModels: readonly string[];
}

export interface DeploymentEmbeddings {
	/** The API format, or the model that runs inside of the service. */
	readonly provider: "openai-compatible" | "embedded";
	/** Empty for the embedded model. */
	readonly baseUrl: string;
	readonly credential?: Secret | undefined;
	readonly model: string;
	/** Left out: the model's own. */
	readonly dimensions?: number | undefined;
}

export interface DeploymentReranker {
	/** The API format. */
	readonly provider: "cohere" | "tei";
	readonly baseUrl: string;
	readonly credential?: Secret | undefined;
	readonly model: string;
}

export interface ModelConfiguration {
	readonly providers: { readonly [name: string]: DeploymentProvider };
	/** The provider that answers; none: the built-in model. */
	readonly chat?: string | undefined;
	readonly embeddings?: DeploymentEmbeddings | undefined;
	readonly rerank?: DeploymentReranker | undefined;
	/** Prices of models. Default: none is known. */
	readonly prices?: PriceList | undefined;
	readonly aws?: { readonly allowAmbientCredentials: boolean } | undefined;
}

/** Converts the model configuration to the form in which it decides who answers and who pays: without keys. */
export const toDeploymentModels = ({
	providers,
	chat,
	embeddings,
	rerank,
	aws,
}: ModelConfiguration): DeploymentModels => ({
	providers: Object.fromEntries(
		Object.entries(providers).map(([name, provider]) => [
			name,
			{
				provider: provider.provider,
				base_url: provider.baseUrl,
				credential: resolveCredentialSource(provider, aws?.allowAmbientCredentials ?? false),
				default_model: provider.defaultModel,
				allowed_models: provider.allowedModels,
			},
		]),
	),
	chat,
	embeddings: embeddings && {
		provider: embeddings.provider,
		base_url: embeddings.baseUrl,
		model: embeddings.model,
		dimensions: embeddings.dimensions,
		credential: toCredentialSource(embeddings.credential),
	},
	rerank: rerank && {
		provider: rerank.provider,
		base_url: rerank.baseUrl,
		model: rerank.model,
		credential: toCredentialSource(rerank.credential),
	},
	...(aws && { aws }),
});

const toCredentialSource = (credential: Secret | undefined): "explicit" | "none" =>
	credential === undefined ? "none" : "explicit";

/** Bedrock always asks for a credential: the machine's, where there is none of its own. */
const resolveCredentialSource = (
	{ provider, credential }: DeploymentProvider,
	allowsAmbient: boolean,
): CredentialSource =>
	credential === undefined && provider === "bedrock" && allowsAmbient
		? "ambient"
		: toCredentialSource(credential);
