import type { ApprovalDecision } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type { LocalAgent } from "@stemma/local";
import { createId } from "../create-id";
import type { RunObserver } from "../telemetry/service-telemetry";
import type { AdmitRun, NewRun, RunClaim } from "./repositories/run-repository";
import type { ResumeContext } from "./resume-context";
import type { RunInputs } from "./stored-run";

/** Request to start a run of a workspace. */
export interface StartRun extends RunInputs {
	readonly agent: RunAgent;
	/** The agent, ready to run. */
	readonly runnable: LocalAgent;
	readonly untrustedContext: boolean;
	readonly background: boolean;
	/** Context that the run is resumed with after a pause. */
	readonly resumeContext: ResumeContext;
	/** The run under way that needs it: it may begin while the service stops, and waits for nobody. */
	readonly parentRunId?: string | undefined;
	/** Follows it, once it begins. */
	readonly follow?: (() => RunObserver) | undefined;
}

/** Agent of a run as its run records it. */
export interface RunAgent {
	readonly id: string;
	readonly slug: string;
	readonly version: number;
}

/**
 * Function that stores a run with what it is started for, in one transaction, or finds the run that the same request has
 * started before. A repository does it: `RunRepository.insert`, or that of the tasks of A2A.
 */
export type InsertRun = (run: NewRun, admit: AdmitRun) => Promise<RunClaim>;

/** Options of resuming a paused run. */
export interface ResumeOptions {
	/** Records what is decided on approvals now, and lists it. What it throws, is thrown. */
	decide(): Promise<readonly ApprovalDecision[]>;
	/** Makes its agent ready anew. What this throws ends the run as failed. */
	prepare(resumeContext: ResumeContext): Promise<LocalAgent>;
	/** Follows the run of an agent, by its slug, once it goes on. */
	readonly follow?: ((agent: string) => RunObserver) | undefined;
}

/** Creates the run that is stored for a request. */
export const createRun = ({
	agent,
	background,
	resumeContext,
	parentRunId,
	input,
	context,
}: StartRun): NewRun => ({
	id: createId("run"),
	agent_id: agent.id,
	agent_slug: agent.slug,
	agent_version: agent.version,
	status: "running",
	background,
	started_by: resumeContext.caller.id,
	created_at: clock.now(),
	ended_at: null,
	last_seq: 0,
	within: parentRunId ?? null,
	input,
	context,
});
