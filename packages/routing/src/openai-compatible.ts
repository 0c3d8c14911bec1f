export { createOpenAiCompatibleModel } from "./openai-compatible/create";
export type { FetchLike, OpenAiCompatibleOptions } from "./openai-compatible/options";
