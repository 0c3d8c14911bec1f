import type { ApprovalDecision, Json, JsonObject, TraceContext } from "@stemma/core";
import type { RunSegment } from "@stemma/runs";

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

/** Options of a run that is cancelled by its segment. */
export type SegmentOptions = Omit<RunOptions, "signal">;

/** A paused run, and what it is resumed with. */
export interface PausedSegment {
	readonly runId: string;
	/** Sequence number of the pause. */
	readonly lastSeq: number;
	/** State that the segment before has saved. */
	readonly state: string;
	readonly decisions: readonly ApprovalDecision[];
	/** The run was cancelled while it was paused: it ends as cancelled. */
	readonly isCancelled: boolean;
}

/** An agent that can be run, wherever that happens. */
export interface RunnableAgent {
	/** Another process runs it: a service. */
	readonly isRemote: boolean;
	/** Throws, or gives a segment that fails before the first event, when nothing was started. */
	start(input: RunInput, options: SegmentOptions): RunSegment;
	/** Resumes a run in the version that was started. @throws StemmaError when it cannot be resumed. */
	resume(paused: PausedSegment, options: SegmentOptions): RunSegment;
	/** Decides on an approval in the process that runs it; undefined where that is this one. */
	decide?(runId: string, decision: ApprovalDecision): Promise<void>;
}
