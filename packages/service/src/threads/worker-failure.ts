/** Reason why a worker thread did not finish a task. */
export type WorkerFailureReason = "timeout" | "out_of_memory" | "crashed" | "stopped";

/** A task that a worker thread did not finish. The thread is replaced before the next task. */
export class WorkerFailure extends Error {
	readonly reason: WorkerFailureReason;

	constructor(reason: WorkerFailureReason, cause?: unknown) {
		super(`The worker thread did not finish its task: ${reason}.`, { cause });
		this.reason = reason;
	}
}
