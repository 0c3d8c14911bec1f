import { Worker } from "node:worker_threads";
import type { WorkerMessage } from "./serve-tasks";
import { createTaskQueue, type TaskQueue, type TaskWorker } from "./task-queue";
import { WorkerFailure, type WorkerFailureReason } from "./worker-failure";

/** Options of a queue of tasks for one thread. */
export interface WorkerQueueOptions {
	/** Name of the thread, for debuggers. */
	readonly name: string;
	/** A module that calls `serveTasks`. */
	readonly script: URL;
	/** Limit of one task, without the time that the thread takes to start. */
	readonly timeoutMs: number;
	readonly memoryMebibytes: number;
	/** Space of new objects: more of it is collected less often. Default 16. */
	readonly youngMebibytes?: number;
	/** The limit counts the thread's processor time; where Node does not report it, five times as much on the clock. Default false. */
	readonly countsProcessorTime?: boolean;
	/** Time without a task after which the thread ends. Default 5 s. */
	readonly idleMs?: number;
}

const IDLE_MS = 5_000;

/** Creates a queue whose thread starts with the first task and ends after some time without one. */
export const createWorkerQueue = <Input, Output>(options: WorkerQueueOptions): TaskQueue<Input, Output> =>
	createTaskQueue({
		start: () => startThread<Input, Output>(options),
		timeoutMs: options.timeoutMs,
		countsProcessorTime: options.countsProcessorTime,
		idleMs: options.idleMs ?? IDLE_MS,
	});

function startThread<Input, Output>({
	name,
	script,
	memoryMebibytes,
	youngMebibytes = 16,
}: WorkerQueueOptions): TaskWorker<Input, Output> {
	const worker = new Worker(script, {
		name,
		// Some of the process's options are for its main script alone.
		execArgv: [],
		resourceLimits: { maxOldGenerationSizeMb: memoryMebibytes, maxYoungGenerationSizeMb: youngMebibytes },
	});
	let isReady = false;
	let hasEnded = false;
	worker.once("message", () => {
		isReady = true;
	});
	worker.once("exit", () => {
		hasEnded = true;
	});
	// The listeners of a task report errors. Without this one, an error between two tasks would end the process.
	worker.on("error", () => undefined);
	return {
		counted: worker,
		get isReady() {
			return isReady;
		},
		isSpent: false,
		get hasEnded() {
			return hasEnded;
		},
		send(input, { onReady, onOutput, onFailure }) {
			const fail = (reason: WorkerFailureReason, cause?: unknown) =>
				onFailure(new WorkerFailure(reason, cause));
			const onMessage = (message: WorkerMessage<Output>) =>
				message.type === "output" ? onOutput(message.output) : onReady();
			const onError = (error: Error & { code?: string }) =>
				fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "out_of_memory" : "crashed", error);
			const onExit = () => fail("crashed");
			worker.on("message", onMessage).on("error", onError).on("exit", onExit);
			worker.postMessage(input);
			return () => void worker.off("message", onMessage).off("error", onError).off("exit", onExit);
		},
		end: () => worker.terminate(),
	};
}
