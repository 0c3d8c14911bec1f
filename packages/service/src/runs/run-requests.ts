import type { ApprovalDecision, Json } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import type { LocalAgent } from "@stemma/local";
import { createId } from "../create-id";
import type { RunObserver } from "../telemetry/service-telemetry";
import type { NewTurn } from "../threads/new-turn";
import type { AdmitRun, NewRun, RunClaim } from "./repositories/run-repository";
import { createStartState, type ResumeContext } from "./resuming/resume-context";
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
	/** Thread in which the run answers a message. Default none: it begins at once, with its input. */
	readonly thread?: RunThread | undefined;
	/** Follows it, once it begins. */
	readonly follow?: (() => RunObserver) | undefined;
}

/** Thread in which a run answers a message. */
export interface RunThread {
	readonly id: string;
	/** Id of the answer. */
	readonly messageId: string;
	/** Creates the message and its answer, which are stored with the run. */
	toTurn(runId: string): NewTurn;
	/** Waits until it is the turn of the run, then reads its input: the branch of the thread up to the message. */
	readInput(signal: AbortSignal): Promise<Json>;
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
export function createRun({
	agent,
	background,
	resumeContext,
	parentRunId,
	input,
	context,
	untrustedContext,
	thread,
}: StartRun): NewRun {
	const id = createId("run");
	const isRestartable = parentRunId === undefined && thread === undefined;
	return {
		id,
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
		...(thread !== undefined && { turn: thread.toTurn(id) }),
		...(isRestartable && { start: createStartState(id, { ...resumeContext, untrustedContext }) }),
	};
}
