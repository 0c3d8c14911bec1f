import { createTaskQueue, type TaskQueue } from "../worker-threads/task-queue";
import type { ProcessInput, ProcessOutput } from "./process-message";
import { type ProcessOptions, startProcess } from "./start-process";

/** Options of a queue of tasks for one process. */
export interface ProcessQueueOptions extends ProcessOptions {
	/** Limit of one task, without the time that the process takes to start. It counts processor time where it is known. */
	readonly timeoutMs: number;
	/** Time without a task after which the process ends. */
	readonly idleMs: number;
}

/** Creates a queue whose process starts with the first task and ends after some time without one. */
export const createProcessQueue = <Head, Piece, Output>(
	options: ProcessQueueOptions,
): TaskQueue<ProcessInput<Head>, ProcessOutput<Piece, Output>> =>
	createTaskQueue({
		start: () => startProcess<Head, Piece, Output>(options),
		timeoutMs: options.timeoutMs,
		countsProcessorTime: true,
		idleMs: options.idleMs,
	});
