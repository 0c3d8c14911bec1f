export type { Behaviour } from "./reranker/behaviour.ts";
export {
	type RerankerSimulator,
	type RerankerSimulatorOptions,
	startRerankerSimulator,
} from "./reranker/simulator.ts";
export { VENDORS } from "./reranker/vendors.ts";
export { scoreByWords } from "./reranker/word-overlap.ts";
