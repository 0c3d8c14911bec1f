/** Reason why a worker did not finish a task. */
export type WorkerFailureReason = "timeout" | "out_of_memory" | "too_much_output" | "crashed" | "stopped";

/** A task that a worker thread or process did not finish. The worker is replaced before the next task. */
export class WorkerFailure extends Error {
	readonly reason: WorkerFailureReason;

	constructor(reason: WorkerFailureReason, cause?: unknown) {
		super(`The worker did not finish its task: ${reason}.`, { cause });
		this.reason = reason;
	}
}
