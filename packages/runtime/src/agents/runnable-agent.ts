import type { WireRunEvent } from "@stemma/client";
import type { ApprovalDecision, Json, JsonObject, RunEvent } from "@stemma/core";

/** What a run is started with. */
export interface RunInput {
	readonly input: Json;
	readonly context?: JsonObject;
}

/** How a run stands towards the world. */
export interface RunSetting {
	/** Cancels the run. */
	readonly signal: AbortSignal;
	/** Hops between services and runtimes so far; goes along with every call that the run makes. */
	readonly depth: number;
}

/** An event of a run here, or of one elsewhere. */
export type SourceEvent = RunEvent | WireRunEvent;

/** A run from its start, or from a pause, to its end or its next pause. */
export interface RunPart {
	/** In order; the first comes as soon as the run has begun, and they stop after an end or a pause. */
	readonly events: AsyncIterable<SourceEvent>;
	/**
	 * Decides on an approval while the run still goes on.
	 *
	 * @throws StemmaError `approval_not_found` for one that is not open.
	 */
	decide(decision: ApprovalDecision): void | Promise<void>;
	/**
	 * Once it has paused: goes on with what was decided, of the very version that was started. Approvals that have expired
	 * are denied without a decision.
	 *
	 * @throws StemmaError when it does not go on; it is still paused then.
	 */
	resume(decisions: readonly ApprovalDecision[], signal: AbortSignal): RunPart | Promise<RunPart>;
	/** How much is kept for going on, in characters of JSON. */
	readonly savedLength: number;
}

/** An agent that can be run, wherever that happens. */
export interface RunnableAgent {
	start(input: RunInput, setting: RunSetting): RunPart;
}
