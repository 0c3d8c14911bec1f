import type { AgentGraph } from "@stemma/core";
import type { SerializedRun } from "@stemma/engine";
import type { SavedState } from "@stemma/runs";
import type { Caller } from "../../auth/caller";

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
	/** The context is data, whoever the caller is. Only in the state of a start. */
	readonly untrustedContext?: boolean;
}

/** Creates the state that is stored with a run: until another one is saved, nothing of it has happened, and it can be started again. */
export const createStartState = (runId: string, resumeContext: ResumeContext): SavedState => {
	const state: SerializedRun = { version: 1, run_id: runId, state: {} };
	return {
		state: JSON.stringify(state),
		resumeContext: JSON.stringify({ ...resumeContext, interruptions: 0 }),
	};
};

/** Checks whether nothing of a run had happened when its state was saved. */
export const isStartState = ({ state }: SerializedRun): boolean => Object.keys(state).length === 0;

/** Parses what a run has stored. What the service wrote is trusted, and not checked again. */
export const parseSavedState = ({
	state,
	resumeContext,
}: SavedState): { readonly state: SerializedRun; readonly resumeContext: ResumeContext } => ({
	state: JSON.parse(state),
	resumeContext: JSON.parse(resumeContext),
});
