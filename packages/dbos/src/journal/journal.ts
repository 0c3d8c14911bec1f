import type { Approval, ApprovalDecision } from "@stemma/core";

/**
 * Log of one run. What a step gives is stored before the run continues; an execution that finds the step stored gets that
 * value, and nothing is done again. Steps are numbered in the order in which they are called, so that every execution has to
 * call the same ones in the same order.
 */
export interface Journal {
	/** False for the log of a run that is over: steps are read from it, and none are made. */
	readonly isOpen: boolean;
	/**
	 * Performs a step, unless it is stored. The values of steps are JSON.
	 *
	 * @param perform - receives a signal that aborts when the run is cancelled, where the log notices that meanwhile.
	 */
	step<Value>(name: string, perform: (signal?: AbortSignal) => Promise<Value>): Promise<Value>;
	/** Shows the open approvals of the run to programs that read its log. */
	showApprovals(approvals: readonly Approval[]): Promise<void>;
	/**
	 * Waits for decisions, also through restarts.
	 *
	 * @param ms - how long; none within that time gives `undefined`.
	 */
	receiveDecisions(ms: number): Promise<readonly ApprovalDecision[] | undefined>;
	/** Checks whether an error of a step says that the run was cancelled. */
	isCancellation(error: unknown): boolean;
}
