export type { FetchLike } from "./http/call-options";
export { createChatReranker } from "./rerankers/chat-model/create";
export type { ChatRerankerOptions } from "./rerankers/chat-model/options";
export { SCORE_INSTRUCTIONS } from "./rerankers/chat-model/score-instructions";
export { createCohereReranker } from "./rerankers/cohere/create";
export type { CohereRerankerOptions } from "./rerankers/cohere/options";
export type { CohereVendor } from "./rerankers/cohere/vendors";
export { createTeiReranker } from "./rerankers/tei/create";
export type { TeiRerankerOptions } from "./rerankers/tei/options";
