import type { AgentGraph } from "@stemma/core";
import type { Caller } from "../auth/caller";

/** What a run is continued by after a pause, whatever became of its agent since. No secret is in it. */
export interface ResumeContext {
	/** As it was when the run was started. */
	readonly graph: AgentGraph;
	/** How many services, runtimes and agents it came through. */
	readonly depth: number;
	/** Who has started it, with what that caller might do then. */
	readonly caller: Caller;
}
