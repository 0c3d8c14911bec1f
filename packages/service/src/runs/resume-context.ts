import type { AgentGraph } from "@stemma/core";
import type { SerializedRun } from "@stemma/engine";
import type { SavedState } from "@stemma/runs";
import type { Caller } from "../auth/caller";

/** Context for resuming a run, whatever happened to its agent since. No secret is in it. */
export interface ResumeContext {
	/** Graph of the agent at the start of the run. */
	readonly graph: AgentGraph;
	/** Number of services, runtimes and agents that the run came through. */
	readonly depth: number;
	/** Caller that started the run, with its permissions at that time. */
	readonly caller: Caller;
	/**
	 * Number of times that the run was cut off and resumed since its start or its last pause. Left out in pauses of versions that
	 * did not save what a run calls before they called it: once it was claimed, such a run cannot be resumed after a crash.
	 */
	readonly interruptions?: number;
}

/** Parses what a run has stored. What the service wrote is trusted, and not checked again. */
export const parseSavedState = ({
	state,
	resumeContext,
}: SavedState): { readonly state: SerializedRun; readonly resumeContext: ResumeContext } => ({
	state: JSON.parse(state),
	resumeContext: JSON.parse(resumeContext),
});
