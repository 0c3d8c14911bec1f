import type { DeploymentModels, DeploymentProvider, KnowledgeBaseModels, ResolutionInput } from "../settings";

/** What an admin may meet; docs/routing.md has the outcome of each. */
export interface NamedCase {
	readonly name: string;
	readonly input: ResolutionInput;
}

const OPENAI = "https://api.openai.com/v1";
const CLAUDE = "anthropic.claude-sonnet-4-v1:0";

const openAi: DeploymentProvider = {
	provider: "openai-compatible",
	base_url: OPENAI,
	credential: "explicit",
	default_model: "gpt-5-mini",
	allowed_models: ["gpt-5"],
};

const local: DeploymentProvider = {
	provider: "openai-compatible",
	base_url: "http://localhost:11434/v1",
	credential: "none",
	default_model: "llama3.3",
};

const amazon: DeploymentProvider = {
	provider: "bedrock",
	base_url: "https://bedrock-runtime.eu-central-1.amazonaws.com",
	credential: "explicit",
	default_model: `eu.${CLAUDE}`,
	allowed_models: ["eu.amazon.nova-pro-v1:0"],
};

const role: DeploymentProvider = { ...amazon, credential: "ambient" };

const space = { base_url: OPENAI, model: "text-embedding-3-small", dimensions: 1536 };
const embeddings = { ...space, provider: "openai-compatible", credential: "explicit" } as const;
const localEmbeddings = {
	provider: "openai-compatible",
	base_url: "http://localhost:11434/v1",
	model: "nomic-embed-text",
	credential: "none",
} as const;
const rerank = {
	provider: "cohere",
	base_url: "https://api.cohere.com/v2",
	model: "rerank-v3.5",
	credential: "explicit",
} as const;

const nothing: DeploymentModels = { providers: {} };
const hosted: DeploymentModels = { providers: { main: openAi }, chat: "main", embeddings };
const own: DeploymentModels = { providers: { local }, chat: "local", embeddings: localEmbeddings };
const aws: DeploymentModels = { providers: { aws: amazon }, chat: "aws" };
const machine: DeploymentModels = {
	providers: { aws: role },
	chat: "aws",
	aws: { allowAmbientCredentials: true },
};
const unlisted: DeploymentModels = {
	...machine,
	providers: { aws: { ...role, allowed_models: undefined } },
};

const openAiKey = { provider: "openai-compatible", base_url: OPENAI, model: "gpt-5-nano", has_api_key: true };
const vendorKey = { ...openAiKey, base_url: "https://openrouter.ai/api/v1", model: "qwen/qwen3-32b" };
const keyless = { ...openAiKey, base_url: "http://gpu.internal:8000/v1", model: "qwen3", has_api_key: false };
const awsKey = {
	provider: "bedrock",
	base_url: "https://bedrock-runtime.us-east-1.amazonaws.com",
	model: `us.${CLAUDE}`,
	has_api_key: true,
};
const undecryptable = { status: "undecryptable" } as const;

const kb = (changes: Partial<KnowledgeBaseModels> = {}): KnowledgeBaseModels => ({
	id: "handbook",
	...changes,
});
const secondKnowledgeBase: KnowledgeBaseModels = { id: "prices" };

export const NAMED_CASES: readonly NamedCase[] = [
	{ name: "Nothing is configured yet", input: { deployment: nothing } },
	{ name: "The operator has a model, the workspace has set nothing", input: { deployment: hosted } },
	{ name: "The operator runs a model server without keys", input: { deployment: own } },
	{
		name: "The operator has a reranker",
		input: { deployment: { ...hosted, rerank } },
	},
	{
		name: "The operator uses Bedrock with a key",
		input: { deployment: aws },
	},
	{
		name: "The operator uses Bedrock with the machine's role",
		input: { deployment: machine },
	},
	{
		name: "The same, but nobody has allowed the role",
		input: { deployment: { ...machine, aws: { allowAmbientCredentials: false } } },
	},
	{
		name: "The operator's Bedrock model is of another region",
		input: {
			deployment: { ...aws, providers: { aws: { ...amazon, default_model: `us.${CLAUDE}` } } },
		},
	},
	{
		name: "The workspace brings an OpenAI key",
		input: { workspace: openAiKey, deployment: hosted },
	},
	{
		name: "The workspace brings an OpenAI key, and nothing else is configured",
		input: { workspace: openAiKey, deployment: nothing },
	},
	{
		name: "The workspace brings an OpenAI key, vectors are made elsewhere",
		input: { workspace: openAiKey, deployment: { ...hosted, embeddings: localEmbeddings } },
	},
	{
		name: "The workspace brings an OpenAI key, and the operator has a reranker",
		input: { workspace: openAiKey, deployment: { ...hosted, rerank } },
	},
	{
		name: "The workspace brings a key of another vendor",
		input: { workspace: vendorKey, deployment: hosted },
	},
	{
		name: "The workspace has a model server of its own, without keys",
		input: { workspace: keyless, deployment: hosted },
	},
	{
		name: "The workspace brings an AWS key",
		input: { workspace: awsKey, deployment: hosted },
	},
	{
		name: "The workspace brings an AWS key, the operator uses the machine's role",
		input: { workspace: awsKey, deployment: machine },
	},
	{
		name: "The workspace has set Bedrock without a key",
		input: { workspace: { ...awsKey, has_api_key: false }, deployment: machine },
	},
	{
		name: "The workspace's Bedrock model is of another region",
		input: { workspace: { ...awsKey, model: `eu.${CLAUDE}` }, deployment: hosted },
	},
	{
		name: "The workspace's key cannot be opened any more",
		input: { workspace: { ...openAiKey, ...undecryptable }, deployment: hosted },
	},
	{
		name: "The key cannot be opened, and the request asks for the built-in model",
		input: {
			choice: { provider: "extractive" },
			workspace: { ...vendorKey, ...undecryptable },
			deployment: hosted,
		},
	},
	{
		name: "The key cannot be opened, and the request names the operator's provider",
		input: {
			choice: { provider: "openai-compatible" },
			workspace: { ...awsKey, ...undecryptable },
			deployment: hosted,
		},
	},
	{
		name: "A request names a model that the operator allows",
		input: { choice: { model: "gpt-5" }, deployment: hosted },
	},
	{
		name: "A request names a provider, and only the operator's second of that format allows the model",
		input: {
			choice: { provider: "openai-compatible", model: "llama3.3" },
			deployment: { ...hosted, providers: { main: openAi, local } },
		},
	},
	{
		name: "A request names a model that the operator does not allow",
		input: { choice: { model: "gpt-5-pro" }, deployment: hosted },
	},
	{
		name: "A request names the same model, on the workspace's key",
		input: { choice: { model: "gpt-5-pro" }, workspace: openAiKey, deployment: hosted },
	},
	{
		name: 'A request says "default"',
		input: { choice: { model: "default" }, workspace: openAiKey, deployment: hosted },
	},
	{
		name: "A request names a model, and nothing is configured",
		input: { choice: { model: "gpt-5" }, deployment: nothing },
	},
	{
		name: "A request asks for quotes instead of the model",
		input: { choice: { provider: "extractive" }, workspace: openAiKey, deployment: hosted },
	},
	{
		name: "A request leaves the workspace's provider for the operator's",
		input: { choice: { provider: "openai-compatible" }, workspace: awsKey, deployment: hosted },
	},
	{
		name: "A request names a provider that nobody has configured",
		input: { choice: { provider: "anthropic" }, workspace: openAiKey, deployment: hosted },
	},
	{
		name: "A request names a provider for which the operator has no default model",
		input: {
			choice: { provider: "openai-compatible" },
			workspace: awsKey,
			deployment: { providers: { main: { ...openAi, default_model: undefined } } },
		},
	},
	{
		name: "A request names Bedrock, the workspace has no AWS key, the operator has one",
		input: { choice: { provider: "bedrock" }, workspace: openAiKey, deployment: aws },
	},
	{
		name: "A request names another Bedrock model that the operator allows",
		input: { choice: { model: "eu.amazon.nova-pro-v1:0" }, deployment: aws },
	},
	{
		name: "A request names the configured model where the operator uses the machine's role",
		input: { choice: { model: `eu.${CLAUDE}` }, deployment: machine },
	},
	{
		name: "A request names a model that the operator lists beside the machine's role",
		input: { choice: { model: "eu.amazon.nova-pro-v1:0" }, deployment: machine },
	},
	{
		name: "A knowledge base has that model",
		input: { knowledgeBases: [kb({ llm_model: "eu.amazon.nova-pro-v1:0" })], deployment: machine },
	},
	{
		name: "A request names a model that the operator does not list beside the machine's role",
		input: { choice: { model: "eu.amazon.nova-lite-v1:0" }, deployment: machine },
	},
	{
		name: "The operator lists no models beside the machine's role, and a request names another",
		input: { choice: { model: "eu.amazon.nova-pro-v1:0" }, deployment: unlisted },
	},
	{
		name: "The operator lists no models beside the machine's role, and a request names the configured one",
		input: { choice: { model: `eu.${CLAUDE}` }, deployment: unlisted },
	},
	{
		name: "A request names Bedrock with a model that the operator lists beside the machine's role",
		input: { choice: { provider: "bedrock", model: "eu.amazon.nova-pro-v1:0" }, deployment: machine },
	},
	{
		name: "A client key names a model",
		input: { choice: { model: "gpt-5" }, isClientKey: true, deployment: hosted },
	},
	{
		name: "A client key names none",
		input: { isClientKey: true, workspace: openAiKey, deployment: hosted },
	},
	{
		name: "A knowledge base has a model of its own, on the workspace's key",
		input: {
			knowledgeBases: [kb({ llm_model: "gpt-5" })],
			workspace: openAiKey,
			deployment: hosted,
		},
	},
	{
		name: "A knowledge base has a model of its own, on the operator's key",
		input: { knowledgeBases: [kb({ llm_model: "gpt-5-pro" })], deployment: hosted },
	},
	{
		name: "A knowledge base has another provider than the workspace",
		input: {
			knowledgeBases: [kb({ llm_provider: "openai-compatible" })],
			workspace: awsKey,
			deployment: hosted,
		},
	},
	{
		name: "A knowledge base names Bedrock, and the workspace has no AWS key",
		input: { knowledgeBases: [kb({ llm_provider: "bedrock" })], deployment: machine },
	},
	{
		name: "The same question to two knowledge bases",
		input: { knowledgeBases: [kb({ llm_provider: "bedrock" }), secondKnowledgeBase], deployment: machine },
	},
	{
		name: "A request overrules the knowledge base",
		input: {
			choice: { model: "gpt-5" },
			knowledgeBases: [kb({ llm_model: "gpt-5-pro" })],
			deployment: hosted,
		},
	},
	{
		name: "A knowledge base names a provider, and a request only a model",
		input: {
			choice: { model: "gpt-5" },
			knowledgeBases: [kb({ llm_provider: "openai-compatible" })],
			workspace: awsKey,
			deployment: hosted,
		},
	},
	{
		name: "A knowledge base names provider and model, and a request only the provider",
		input: {
			choice: { provider: "openai-compatible" },
			knowledgeBases: [kb({ llm_provider: "openai-compatible", llm_model: "gpt-5" })],
			workspace: awsKey,
			deployment: hosted,
		},
	},
	{
		name: "A knowledge base names provider and model, and a request another provider",
		input: {
			choice: { provider: "bedrock" },
			knowledgeBases: [kb({ llm_provider: "openai-compatible", llm_model: "gpt-5" })],
			workspace: awsKey,
			deployment: hosted,
		},
	},
	{
		name: "A request names a provider of which the operator has two, and no model",
		input: {
			choice: { provider: "openai-compatible" },
			workspace: awsKey,
			deployment: { ...hosted, providers: { local, main: openAi } },
		},
	},
	{
		name: "Of two entries that allow the model, neither is the chat's own",
		input: {
			choice: { provider: "openai-compatible", model: "gpt-5" },
			workspace: awsKey,
			deployment: { providers: { local: { ...local, allowed_models: ["gpt-5"] }, main: openAi } },
		},
	},
	{
		name: "A request names only a model, and only the operator's second entry of that format allows it",
		input: {
			choice: { model: "llama3.3" },
			deployment: { ...hosted, providers: { main: openAi, local } },
		},
	},
	{
		name: "A request leaves the workspace's provider for the operator's server without keys",
		input: { choice: { provider: "openai-compatible" }, workspace: awsKey, deployment: own },
	},
	{
		name: "A request names the operator's default model, which its list does not repeat",
		input: { choice: { model: "gpt-5-mini" }, deployment: hosted },
	},
	{
		name: "Two refusals: the operator does not allow the model, and it is of another region",
		input: { choice: { model: "us.amazon.nova-pro-v1:0" }, deployment: aws },
	},
	{
		name: "Two refusals: the key cannot be opened, and the model is of another region",
		input: { workspace: { ...awsKey, model: `eu.${CLAUDE}`, ...undecryptable }, deployment: hosted },
	},
	{
		name: "A knowledge base without vectors",
		input: { knowledgeBases: [kb({ embedding: null })], deployment: hosted },
	},
	{
		name: "A knowledge base with vectors of an earlier embedding model",
		input: {
			knowledgeBases: [kb({ embedding: { ...space, model: "text-embedding-ada-002" } })],
			deployment: hosted,
		},
	},
];
