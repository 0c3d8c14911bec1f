export {
	createDurableAgent,
	type DurableAgent,
	type DurableAgentOptions,
	type DurableRunOptions,
} from "./durable-agent";
export type { DurableRun } from "./durable-run";
export type { RunEventHandler } from "./run-watchers";
