import type { ApprovalDecision, Conversation, Json, RunEvent } from "@stemma/core";

/** Options of one run. */
export interface EngineRunOptions {
	/**
	 * Text, JSON, or a conversation: `{messages: [{role, content}]}`, whose content is text or text parts. An object may be of
	 * an interface; what JSON cannot hold is refused, and so are other roles and parts.
	 */
	readonly input: Json | Conversation | object;
	/** Fills `{{context.path}}` in instructions. Default: empty. */
	readonly context?: object;
	/**
	 * The context comes from someone who may not write instructions, such as a browser: it goes into the user's side of
	 * the conversation, as data, and `{{context.path}}` only names it. Default false.
	 */
	readonly untrustedContext?: boolean;
	/** Default: a new one. */
	readonly runId?: string;
	/** Cancels the run; what is under way is aborted at once. */
	readonly signal?: AbortSignal | undefined;
	/** Gets every event, in order, as it happens, and is not awaited. If it throws, the run ends and `run` rejects with that. */
	readonly onEvent?: ((event: RunEvent) => void) | undefined;
}

/** Events that a run has handed over after it was saved, where its process ended before the next pause or end. */
export interface RunInterruption {
	/** Sequence number of the last event that was handed over: those of the resumed run come after it. */
	readonly lastSeq: number;
	/** True where text of the answer was handed over since: it is withdrawn with `text.reset`. */
	readonly hasText: boolean;
}

/** Options for resuming a saved run. */
export interface EngineResumeOptions {
	/**
	 * Decisions on open approvals. Approvals without one stay open, unless they have expired: then they are denied.
	 * Default: none.
	 */
	readonly decisions?: readonly ApprovalDecision[];
	/** Signal that cancels the run, as for a new run. If it is already aborted, the run ends as cancelled. */
	readonly signal?: AbortSignal | undefined;
	/**
	 * Set for a run that was cut off after it was saved: the time since then counts as its running time. Default: it has
	 * paused, or handed over nothing since.
	 */
	readonly interruption?: RunInterruption | undefined;
	/** Listener for the events after the resumption, as for a new run; their numbers continue. */
	readonly onEvent?: ((event: RunEvent) => void) | undefined;
}
