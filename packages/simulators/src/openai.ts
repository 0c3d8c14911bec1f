export type { Behaviour, SimulatedReply, SimulatedUsage } from "./openai/behaviour.ts";
export { citeFirstPassage } from "./openai/cite-first-passage.ts";
export type { Fields } from "./openai/field-checks.ts";
export {
	type OpenAiSimulator,
	type OpenAiSimulatorOptions,
	type SimulatedRequest,
	startOpenAiSimulator,
} from "./openai/simulator.ts";
