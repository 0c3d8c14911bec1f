export { fromAiSdk } from "./ai-sdk/from-ai-sdk";
export type { FromAiSdkOptions } from "./ai-sdk/options";
export type { AiSdkCallOptions, AiSdkModel } from "./ai-sdk/wire";
