export type { BaseUrl } from "./http/base-url";
export type { FetchLike } from "./http/call-options";
export { createOpenAiCompatibleModel } from "./openai-compatible/create";
export { createOpenAiCompatibleEmbeddings } from "./openai-compatible/create-embeddings";
export type { OpenAiCompatibleEmbeddingsOptions } from "./openai-compatible/embeddings-options";
export {
	createEndpointMemory,
	type EndpointMemory,
	type EndpointMemoryOptions,
	type EndpointTraits,
} from "./openai-compatible/endpoint-memory";
export { type OpenAiCompatibleOptions, parseOpenAiBaseUrl } from "./openai-compatible/options";
