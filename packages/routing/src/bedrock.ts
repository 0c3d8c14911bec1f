export { createBedrockModel } from "./bedrock/create";
export { type BedrockCredential, parseBedrockCredential } from "./bedrock/credential/credential";
export type { AwsKeys, BedrockApiKey } from "./bedrock/credential/secret";
export { type BedrockOptions, parseBedrockModelId } from "./bedrock/options";
export {
	type BedrockEndpoint,
	isSameBedrockPartition,
	parseBedrockEndpoint,
} from "./bedrock/region/endpoint";
export { checkModelRegion, type ModelRegionCheck } from "./bedrock/region/model-region";
export type { FetchLike } from "./http/call-options";
