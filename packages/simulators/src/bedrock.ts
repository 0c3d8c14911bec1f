export type { Behaviour, StreamFault } from "./bedrock/behaviour.ts";
export { citeFirstPassage } from "./bedrock/cite-first-passage.ts";
export { encodeEvent, encodePrelude } from "./bedrock/encode-event.ts";
export {
	type BedrockSimulator,
	type BedrockSimulatorOptions,
	startBedrockSimulator,
} from "./bedrock/simulator.ts";
