import type {
	DeploymentEmbeddings,
	DeploymentModels,
	DeploymentProvider,
	DeploymentReranker,
	EmbeddingSpace,
	KnowledgeBaseModels,
	ModelPreference,
	ResolutionInput,
	WorkspaceModels,
} from "../settings";

export const OPENAI = "https://api.openai.com/v1";
const VENDOR = "https://api.vendor.example/v1";
const LOCAL = "http://localhost:11434/v1";
export const FRANKFURT = "https://bedrock-runtime.eu-central-1.amazonaws.com";
const OHIO = "https://bedrock-runtime.us-east-2.amazonaws.com";
const SYDNEY = "https://bedrock-runtime.ap-southeast-2.amazonaws.com";

const NAMED = "gpt-5";
const CLAUDE = "anthropic.claude-sonnet-4-v1:0";

export const CHOICES: readonly (ModelPreference | undefined)[] = [
	undefined,
	{ provider: "", model: "default" },
	{ model: "gpt-5-mini" },
	{ model: NAMED },
	{ model: "o9-unheard-of" },
	{ model: `us.${CLAUDE}` },
	{ provider: "openai-compatible" },
	{ provider: "openai-compatible", model: NAMED },
	{ provider: "openai-compatible", model: "o9-unheard-of" },
	{ provider: "bedrock" },
	{ provider: "bedrock", model: `eu.${CLAUDE}` },
	{ provider: "anthropic", model: "claude-sonnet-4" },
	{ provider: "extractive" },
	{ provider: "extractive", model: NAMED },
	{ model: "extractive" },
];

const settings = (
	provider: string,
	base_url: string,
	model: string,
	credential: "key" | "keyless" | "lost",
): WorkspaceModels => ({
	provider,
	base_url,
	model,
	has_api_key: credential !== "keyless",
	...(credential === "lost" && { status: "undecryptable" as const }),
});

export const WORKSPACES: readonly (WorkspaceModels | null)[] = [
	null,
	settings("openai-compatible", OPENAI, "gpt-5-nano", "key"),
	settings("openai-compatible", OPENAI, "gpt-5-nano", "keyless"),
	settings("openai-compatible", OPENAI, "gpt-5-nano", "lost"),
	settings("openai-compatible", VENDOR, "vendor-large", "key"),
	settings("openai-compatible", VENDOR, "vendor-large", "keyless"),
	settings("openai-compatible", VENDOR, "vendor-large", "lost"),
	settings("bedrock", FRANKFURT, `eu.${CLAUDE}`, "key"),
	settings("bedrock", OHIO, `eu.${CLAUDE}`, "key"),
	settings("bedrock", FRANKFURT, `eu.${CLAUDE}`, "keyless"),
	settings("bedrock", FRANKFURT, `eu.${CLAUDE}`, "lost"),
];

const preference = (llm_provider?: string | null, llm_model?: string | null): KnowledgeBaseModels => ({
	id: "kb_1",
	llm_provider,
	llm_model,
});

/** One with an override, or not. */
export const SINGLE_KNOWLEDGE: readonly (readonly KnowledgeBaseModels[] | undefined)[] = [
	undefined,
	[{ id: "kb_1" }],
	[preference(null, null)],
	[preference("", "default")],
	[preference(undefined, NAMED)],
	[preference(undefined, "o9-unheard-of")],
	[preference("openai-compatible")],
	[preference("openai-compatible", NAMED)],
	[preference("bedrock")],
	[preference("bedrock", `apac.${CLAUDE}`)],
	[preference("anthropic", "claude-sonnet-4")],
	[preference("extractive")],
	[preference("bedrock"), preference("bedrock")],
];

/** Several, with overrides or not: they must all come to the same. */
export const SEVERAL_KNOWLEDGE: readonly (readonly KnowledgeBaseModels[])[] = [
	[{ id: "kb_1" }, { id: "kb_2" }],
	[preference("bedrock", `apac.${CLAUDE}`), { id: "kb_2" }],
	[preference("openai-compatible", NAMED), { id: "kb_2", llm_model: NAMED }, { id: "kb_3" }],
];

const openAi = (credential: DeploymentProvider["credential"] = "explicit"): DeploymentProvider => ({
	provider: "openai-compatible",
	base_url: credential === "none" ? LOCAL : OPENAI,
	credential,
	default_model: "gpt-5-mini",
});

const bedrock = (credential: DeploymentProvider["credential"]): DeploymentProvider => ({
	provider: "bedrock",
	base_url: FRANKFURT,
	credential,
	default_model: `eu.${CLAUDE}`,
});

const anthropic = (credential: DeploymentProvider["credential"]): DeploymentProvider => ({
	provider: "anthropic",
	base_url: `https://${credential}.anthropic.example/v1`,
	credential,
	default_model: "claude-sonnet-4",
});

const PROVIDERS: readonly { readonly [name: string]: DeploymentProvider }[] = [
	{},
	{ main: openAi() },
	{ local: openAi("none") },
	{ aws: bedrock("explicit") },
	{ aws: bedrock("ambient") },
	{ sydney: { ...bedrock("ambient"), base_url: SYDNEY } },
	{ main: openAi(), aws: bedrock("ambient") },
	{ aws: bedrock("explicit"), role: bedrock("ambient"), local: openAi("none") },
	{ main: openAi(), second: { ...openAi("none"), default_model: "llama-4", allowed_models: [NAMED] } },
	{ bare: { ...openAi(), default_model: undefined } },
	{ bare: { ...openAi(), default_model: undefined }, main: openAi() },
	{ claude: anthropic("explicit"), keyless: anthropic("none") },
	{ simulated: bedrock("none") },
];

/** What goes with each set of providers: models that may be chosen, and whether the machine may sign. */
const OPERATOR_TERMS: readonly (Pick<DeploymentModels, "aws"> & { readonly allowed?: readonly string[] })[] =
	[
		{ aws: { allowAmbientCredentials: false } },
		{ allowed: [NAMED, `us.${CLAUDE}`], aws: { allowAmbientCredentials: true } },
	];

/** Every set of providers on all terms, with each of the providers as `chat` and with none. */
export const DEPLOYMENTS: readonly DeploymentModels[] = PROVIDERS.flatMap((providers) =>
	OPERATOR_TERMS.flatMap(({ allowed, aws = {} }) =>
		[undefined, ...Object.keys(providers)].map((chat) => ({
			providers: allow(providers, allowed),
			chat,
			aws,
		})),
	),
);

function allow(
	providers: { readonly [name: string]: DeploymentProvider },
	allowed_models: readonly string[] | undefined,
): { readonly [name: string]: DeploymentProvider } {
	const entries = Object.entries(providers);
	return Object.fromEntries(entries.map(([name, entry]) => [name, { allowed_models, ...entry }]));
}

const SPACE = { model: "text-embedding-3-small", dimensions: 1536 };

export const EMBEDDINGS: readonly (DeploymentEmbeddings | undefined)[] = [
	undefined,
	{ ...SPACE, provider: "openai-compatible", base_url: OPENAI, credential: "explicit" },
	{ ...SPACE, provider: "openai-compatible", base_url: VENDOR, credential: "explicit" },
	{ ...SPACE, provider: "openai-compatible", base_url: LOCAL, credential: "none" },
];

export const RERANKERS: readonly (DeploymentReranker | undefined)[] = [
	undefined,
	{
		provider: "cohere",
		base_url: "https://api.rerank.example/v2",
		model: "rerank-4",
		credential: "explicit",
	},
	{ provider: "tei", base_url: "http://localhost:8080", model: "bge-reranker", credential: "none" },
];

const at = (base_url: string, changes: Partial<EmbeddingSpace> = {}): EmbeddingSpace => ({
	...SPACE,
	base_url,
	...changes,
});

/** Of one vector space, of several, of none. */
export const SPACES: readonly (readonly KnowledgeBaseModels[] | undefined)[] = [
	undefined,
	[{ id: "kb_1" }],
	[{ id: "kb_1", embedding: null }],
	[{ id: "kb_1", embedding: at(OPENAI) }],
	[{ id: "kb_1", embedding: at(OPENAI) }, { id: "kb_2" }, { id: "kb_3", embedding: at(VENDOR) }],
	[
		{ id: "kb_1", embedding: at(LOCAL, { dimensions: 512 }) },
		{ id: "kb_2", embedding: null },
	],
	[{ id: "kb_1", llm_model: NAMED, embedding: at(OPENAI, { model: "text-embedding-3-large" }) }],
];

/** What a product multiplies. */
export interface Dimensions {
	readonly choices: readonly (ModelPreference | undefined)[];
	readonly clientKeys: readonly boolean[];
	readonly knowledge: readonly (readonly KnowledgeBaseModels[] | undefined)[];
	readonly workspaces: readonly (WorkspaceModels | null)[];
	readonly deployments: readonly DeploymentModels[];
}

/** All that decides about models. */
export const MODEL_DIMENSIONS: Dimensions = {
	choices: CHOICES,
	clientKeys: [false, true],
	knowledge: [...SINGLE_KNOWLEDGE, ...SEVERAL_KNOWLEDGE],
	workspaces: WORKSPACES,
	deployments: DEPLOYMENTS,
};

/** All that decides about stages, and enough of the rest. */
export const STAGE_DIMENSIONS: Dimensions = {
	choices: [undefined, { model: NAMED }, { provider: "bedrock" }, { provider: "extractive" }],
	clientKeys: [false],
	knowledge: SPACES,
	workspaces: WORKSPACES,
	deployments: DEPLOYMENTS.filter(isInUse).flatMap((deployment) =>
		EMBEDDINGS.flatMap((embeddings) => RERANKERS.map((rerank) => ({ ...deployment, embeddings, rerank }))),
	),
};

/** With all leave, and with a model that answers where there are any. */
function isInUse({ providers, chat, aws }: DeploymentModels): boolean {
	return aws?.allowAmbientCredentials === true && (chat !== undefined || Object.keys(providers).length === 0);
}

export const countInputs = (dimensions: Dimensions): number =>
	Object.values(dimensions).reduce((count, values) => count * values.length, 1);

/** Yields every combination of the values as an input. */
export function* toInputs(dimensions: Dimensions): Generator<ResolutionInput> {
	const { choices, clientKeys, knowledge, workspaces, deployments } = dimensions;
	for (const deployment of deployments)
		for (const workspace of workspaces)
			for (const knowledgeBases of knowledge)
				for (const isClientKey of clientKeys)
					for (const choice of choices) yield { choice, isClientKey, knowledgeBases, workspace, deployment };
}
