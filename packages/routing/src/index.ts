export type { EmbeddingModel, EmbeddingReply } from "./embedding-model";
export { ProviderError, type ProviderErrorCode, type ProviderErrorOptions } from "./provider-error";
export type { Reranker, RerankReply } from "./reranker";
