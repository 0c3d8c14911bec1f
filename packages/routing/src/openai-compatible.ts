export type { FetchLike } from "./http/send";
export { createOpenAiCompatibleModel } from "./openai-compatible/create";
export type { OpenAiCompatibleOptions } from "./openai-compatible/options";
