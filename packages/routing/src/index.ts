export type { EmbeddingModel, EmbeddingReply } from "./embedding-model";
export type { Reranker, RerankReply } from "./reranker";
