/**
 * All that decides which model answers and who pays. It holds no secret: whether there is a key, never the key. Each
 * `base_url` is taken as the API gives it back: host in lower case, no usual port.
 */
export interface ResolutionInput {
	/**
	 * Preference of the request itself: `ask.model`, a node's `model`, `model` of chat completions. The model
	 * `"default"` means no preference.
	 */
	readonly choice?: ModelPreference | undefined;
	/** The choice was sent with a client key, which may not choose. Not for the nodes of a graph that a key may run. */
	readonly isClientKey?: boolean | undefined;
	/** Knowledge bases that the question searches; for a run, all that its coordinator can reach. */
	readonly knowledgeBases?: readonly KnowledgeBaseModels[] | undefined;
	/** Models of the workspace; left out or `null` if it has set none. */
	readonly workspace?: WorkspaceModels | null | undefined;
	readonly deployment: DeploymentModels;
}

/** Model that a request or a node asks for; an empty one asks for nothing. */
export interface ModelPreference {
	readonly provider?: string | undefined;
	/** `"default"` is none. */
	readonly model?: string | undefined;
}

/** Model settings of a knowledge base. */
export interface KnowledgeBaseModels {
	readonly id: string;
	readonly llm_provider?: string | null | undefined;
	/** `"default"` is none. */
	readonly llm_model?: string | null | undefined;
	/** The space of its vectors; `null`: it has none. Default: that of the deployment. */
	readonly embedding?: EmbeddingSpace | null | undefined;
}

/** The model settings of a workspace, as they are read back: without the key. */
export interface WorkspaceModels {
	/** The API format: `openai-compatible`, `bedrock`. */
	readonly provider: string;
	readonly base_url: string;
	readonly model: string;
	readonly has_api_key: boolean;
	/** `undecryptable`: there is a key which cannot be opened. Default `ok`. */
	readonly status?: "ok" | "undecryptable" | undefined;
}

/** Model settings of the deployment, made by the operator. */
export interface DeploymentModels {
	readonly providers: { readonly [name: string]: DeploymentProvider };
	/** The name of the provider that answers; none: the built-in model, which quotes. */
	readonly chat?: string | undefined;
	/** Embedding model. Without one, passages are found by words only. */
	readonly embeddings?: DeploymentEmbeddings | undefined;
	/** The vendor that scores passages; none: the model that answers does. */
	readonly rerank?: DeploymentReranker | undefined;
	readonly aws?: {
		/** True where a provider without a credential may sign with those of its machine. Default false. */
		readonly allowAmbientCredentials?: boolean | undefined;
	};
}

/**
 * Source of the credential that a provider of the deployment signs with. `explicit`: a credential that was configured
 * for it; `ambient`: that of the machine (a role, the environment); `none`: its endpoint asks for none.
 */
export type CredentialSource = "explicit" | "ambient" | "none";

/** A provider of the deployment. */
export interface DeploymentProvider {
	readonly provider: string;
	readonly base_url: string;
	readonly credential: CredentialSource;
	readonly default_model?: string | undefined;
	/** Models that a workspace may choose besides the default. */
	readonly allowed_models?: readonly string[] | undefined;
}

/** `provider` of the embedding model that runs inside of the service: it has no address and no payer. */
export const EMBEDDED_PROVIDER = "embedded";

/** Makes vectors, for every workspace in one space. */
export interface DeploymentEmbeddings extends EmbeddingSpace {
	/** The API format, or `embedded`. */
	readonly provider: string;
	readonly credential: "explicit" | "none";
}

/** Vectors can be compared within one space only. */
export interface EmbeddingSpace {
	/** Empty for the embedded model. */
	readonly base_url: string;
	readonly model: string;
	readonly dimensions?: number | undefined;
}

/** Scores passages. */
export interface DeploymentReranker {
	readonly provider: string;
	readonly base_url: string;
	readonly model: string;
	readonly credential: "explicit" | "none";
}
