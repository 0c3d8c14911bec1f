export type { BaseUrl } from "./http/base-url";
export type { FetchLike } from "./http/call-options";
export {
	type CapabilityCache,
	type CapabilityCacheOptions,
	createCapabilityCache,
	type EndpointCapabilities,
} from "./openai-compatible/capability-cache";
export { createOpenAiCompatibleModel } from "./openai-compatible/create";
export { createOpenAiCompatibleEmbeddings } from "./openai-compatible/embeddings/create";
export type { OpenAiCompatibleEmbeddingsOptions } from "./openai-compatible/embeddings/options";
export { type OpenAiCompatibleOptions, parseOpenAiBaseUrl } from "./openai-compatible/options";
