import type { AgentGraph } from "@stemma/core";
import type { Caller } from "../auth/caller";

/** Context for resuming a run after a pause, whatever happened to its agent since. No secret is in it. */
export interface ResumeContext {
	/** Graph of the agent at the start of the run. */
	readonly graph: AgentGraph;
	/** Number of services, runtimes and agents that the run came through. */
	readonly depth: number;
	/** Caller that started the run, with its permissions at that time. */
	readonly caller: Caller;
}
