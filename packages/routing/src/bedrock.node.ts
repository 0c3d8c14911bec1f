import "./bedrock/web-crypto.node.ts";

export { createBedrockModel } from "./bedrock/create";
export { type BedrockCredential, parseBedrockCredential } from "./bedrock/credential";
export { type BedrockEndpoint, isSameBedrockPartition, parseBedrockEndpoint } from "./bedrock/endpoint";
export { checkModelRegion, type ModelRegionCheck } from "./bedrock/model-region";
export { type BedrockOptions, parseBedrockModelId } from "./bedrock/options";
export type { AwsKeys, BedrockApiKey } from "./bedrock/secret";
export type { FetchLike } from "./http/call-options";
