import type { DeploymentModels } from "@stemma/routing";

/** A provider that the operator has configured. */
export interface DeploymentProvider {
	/** The API format. */
	readonly provider: "openai-compatible" | "bedrock";
	readonly baseUrl: string;
	/** Left out for servers that want none. */
	readonly apiKey?: string | undefined;
	readonly defaultModel: string;
	/** What a workspace may choose besides the default. */
	readonly allowedModels: readonly string[];
}

/** The part of a configuration that is about models. */
export interface ModelConfiguration {
	readonly providers: { readonly [name: string]: DeploymentProvider };
	/** The provider that answers; none: the built-in model. */
	readonly chat?: string | undefined;
}

/** The same as it decides who answers and who pays: without keys. */
export const toDeploymentModels = ({ providers, chat }: ModelConfiguration): DeploymentModels => ({
	providers: Object.fromEntries(
		Object.entries(providers).map(([name, { provider, baseUrl, apiKey, defaultModel, allowedModels }]) => [
			name,
			{
				provider,
				base_url: baseUrl,
				credential: apiKey === undefined ? "none" : "explicit",
				default_model: defaultModel,
				allowed_models: allowedModels,
			},
		]),
	),
	chat,
});
