import type { RunStatus } from "@stemma/core";
import type { EventRecord } from "./event-record";

/** Events and receipts of runs since the last batch, in order. */
export interface RunBatch {
	readonly events: readonly LoggedEvent[];
	readonly receipts: readonly LoggedReceipt[];
	/** States of runs in progress as they are after the events of the batch. Default: none. */
	readonly states?: readonly LoggedState[];
	/** Id of the process that writes, where there are others: they are notified. */
	readonly writer?: string | undefined;
}

/** An event with its run, and with what it changes there. */
export interface LoggedEvent extends EventRecord {
	readonly runId: string;
	/** New status of the run; only where the event changes it. */
	readonly status?: "running" | RunStatus;
	/** Epoch milliseconds; only where the status of a task changes, and the run has not ended. */
	readonly statusAt?: number;
	/** Epoch milliseconds; only where the run has ended. */
	readonly endedAt?: number;
	/** State to resume the run with; only where the run has paused. */
	readonly pause?: LoggedPause;
	/** Fence of the claim under which the event happened. Default: the store is of one process. */
	readonly fence?: number;
}

/** State of a run in progress, from which another process can resume it. It replaces the one before. */
export interface LoggedState extends SavedState {
	readonly runId: string;
	/** Fence of the claim under which the state was taken. Default: the store is of one process. */
	readonly fence?: number;
}

/** State of a paused run, from its pause on. */
export interface LoggedPause {
	/** JSON of a `SerializedRun`. */
	readonly state: string;
	/** JSON of what the run is resumed with besides its state. */
	readonly resumeContext: string;
	/** All that are open. */
	readonly approvals: readonly LoggedApproval[];
}

/** Open approval of a paused run. */
export interface LoggedApproval {
	readonly id: string;
	readonly node: string;
	readonly tool: string;
	/** JSON. */
	readonly arguments: string;
	/** Epoch milliseconds, as `expiresAt`. */
	readonly askedAt: number;
	readonly expiresAt: number;
}

/** Receipt of a model call, in a run or outside of one. */
export interface LoggedReceipt {
	/** `rcp_…` */
	readonly id: string;
	readonly runId: string | null;
	/** `usr_…` of the person that the call is for; left out for other callers. */
	readonly userId?: string;
	/** Epoch milliseconds. */
	readonly at: number;
	/** JSON of a `ReceiptRow`. */
	readonly receipt: string;
}

/** Status of a run, and how far its events go. */
export interface RunHead {
	readonly status: "running" | RunStatus;
	/** Sequence number of the last event; 0 for none. */
	readonly lastSeq: number;
}

/** State that a run is resumed with, as JSON. */
export type SavedState = Pick<LoggedPause, "state" | "resumeContext">;

/** Keeps runs and their events. Once a write resolves, it holds, whatever happens to the process. */
export interface RunStore {
	/**
	 * Appends a batch, all of it or nothing: nobody sees that a run waits before it can be resumed. What is there already
	 * is left, so a batch may be tried again.
	 *
	 * @throws RunsLostError where another process has claimed some of the runs since: nothing was appended then.
	 */
	append(batch: RunBatch): Promise<void>;
	/** Reads the events after a sequence number, in order, at most `limit` of them. */
	readEvents(runId: string, after: number, limit: number): Promise<readonly EventRecord[]>;
	findHead(runId: string): Promise<RunHead | undefined>;
	/**
	 * Claims a paused run, so that it goes on once: what it calls from now on is never called again, also after a crash.
	 *
	 * @param lastSeq - sequence number of its pause.
	 * @returns false where it does not wait any more, or has paused again since.
	 */
	claimPaused(runId: string, lastSeq: number): Promise<boolean>;
	/** Loads the state that was saved last of a run that has not ended. */
	loadState(runId: string): Promise<SavedState | undefined>;
}
