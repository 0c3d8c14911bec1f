import type { ApprovalDecision, Json, JsonObject, TraceContext } from "@stemma/core";
import type { SourceEvent } from "@stemma/runs";

/** Input that a run is started with. */
export interface RunInput {
	readonly input: Json;
	readonly context?: JsonObject;
}

/** Options of a run: its cancellation, depth and trace. */
export interface RunOptions {
	/** Cancels the run. */
	readonly signal: AbortSignal;
	/** Hops between services and runtimes so far; goes along with every call that the run makes. */
	readonly depth: number;
	/** Goes along with the calls that start and follow the run. */
	readonly traceContext?: TraceContext | undefined;
}

/** Listener to the events of a run. */
export interface RunEventHandler {
	/**
	 * Gets the events in order, as they happen; the first as soon as the run has begun, which may be before its part is
	 * there, and the last is an end or a pause.
	 */
	readonly onEvent: (event: SourceEvent) => void;
}

/** A run from its start, or from a pause, to its end or its next pause. */
export interface RunSegment {
	/** Settles after the last event; fails when the source broke before it. */
	readonly ended: Promise<unknown>;
	/** Cancels the run. */
	cancel(): void;
	/**
	 * Decides on an approval while the run still goes on.
	 *
	 * @throws StemmaError `approval_not_found` for one that is not open.
	 */
	decide(decision: ApprovalDecision): void | Promise<void>;
	/**
	 * Resumes a paused run with decisions, in the version that was started. Approvals that have expired are denied
	 * without a decision. A run that was cancelled meanwhile ends as cancelled.
	 *
	 * @throws StemmaError when it cannot be resumed; it stays paused then.
	 */
	resume(
		decisions: readonly ApprovalDecision[],
		options: RunEventHandler & { readonly isCancelled: boolean },
	): RunSegment | Promise<RunSegment>;
	/** Size of the state that is kept for resuming, in characters of JSON. */
	readonly savedStateLength: number;
}

/** An agent that can be run, wherever that happens. */
export interface RunnableAgent {
	/** Another process runs it: a service. */
	readonly isRemote: boolean;
	/** Throws, or gives a part that fails before the first event, when nothing was started. */
	start(input: RunInput, options: RunEventHandler & Omit<RunOptions, "signal">): RunSegment;
}
