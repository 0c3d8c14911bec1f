import type { ApprovalDecision, Conversation, Json, RunEvent } from "@stemma/core";

/** What one run is given. */
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

/** What a run that was saved is continued with. */
export interface EngineResumeOptions {
	/** Of open approvals; those without a decision stay open, and those that had expired by then are denied. Default: none. */
	readonly decisions?: readonly ApprovalDecision[];
	/** As for a new run; one that is aborted already ends the run as cancelled. */
	readonly signal?: AbortSignal | undefined;
	/** As for a new run: the events from here on, numbered on. */
	readonly onEvent?: ((event: RunEvent) => void) | undefined;
}
