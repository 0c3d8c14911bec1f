import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { createSemaphore } from "@stemma/core/internal";
import type { WorkerMessage } from "./serve-tasks";
import { startTaskLimit } from "./task-limit";
import { WorkerFailure, type WorkerFailureReason } from "./worker-failure";

/** Tasks for one worker thread, which performs them one at a time. A hostile task harms itself only. */
export interface WorkerQueue<Input, Output> {
	/** @throws WorkerFailure */
	perform(input: Input, options?: PerformOptions): Promise<Output>;
	/** Waits up to 3 s for the tasks that are queued. Later tasks fail with the reason `stopped`. */
	stop(): Promise<void>;
}

export interface PerformOptions {
	/** Buffers that move to the thread instead of being copied. Default: none. */
	readonly transfer?: readonly ArrayBuffer[];
	/** Limit of this task. Default: the queue's. */
	readonly timeoutMs?: number;
}

export interface WorkerQueueOptions {
	/** Name of the thread, for debuggers. */
	readonly name: string;
	/** A module that calls `serveTasks`. */
	readonly script: URL;
	/** Limit of one task, without the time that the thread takes to start. */
	readonly timeoutMs: number;
	readonly memoryMebibytes: number;
	/** The limit counts the thread's processor time; where Node does not report it, five times as much on the clock. Default false. */
	readonly countsProcessorTime?: boolean;
}

const START_TIMEOUT_MS = 30_000;
const IDLE_MS = 5_000;
const STOP_GRACE_MS = 3_000;

/** Creates a queue whose thread starts with the first task and ends after 5 s without one. */
export function createWorkerQueue<Input, Output>(options: WorkerQueueOptions): WorkerQueue<Input, Output> {
	let thread: Thread | undefined;
	const mutex = createSemaphore(1);
	let idle: NodeJS.Timeout | undefined;
	let isStopped = false;

	function start(): Thread {
		const started = startThread(options);
		started.worker.once("exit", () => {
			if (thread === started) thread = undefined;
		});
		return started;
	}

	async function end(): Promise<void> {
		const ended = thread;
		thread = undefined;
		await ended?.worker.terminate();
	}

	async function performNext(input: Input, { transfer = [], timeoutMs }: PerformOptions): Promise<Output> {
		if (isStopped) throw new WorkerFailure("stopped");
		clearTimeout(idle);
		thread ??= start();
		try {
			return await performInThread<Input, Output>(thread, input, {
				transfer,
				limitMs: timeoutMs ?? options.timeoutMs,
				countsProcessorTime: options.countsProcessorTime ?? false,
			});
		} catch (error) {
			await end();
			throw isStopped ? new WorkerFailure("stopped", error) : error;
		} finally {
			idle = setTimeout(() => void end(), IDLE_MS).unref();
		}
	}

	return {
		perform: (input, task = {}) => mutex.run(() => performNext(input, task)),
		async stop() {
			isStopped = true;
			await Promise.race([mutex.run(async () => undefined), wait(STOP_GRACE_MS, undefined, { ref: false })]);
			clearTimeout(idle);
			await end();
		},
	};
}

interface Thread {
	readonly worker: Worker;
	isReady: boolean;
}

function startThread({ name, script, memoryMebibytes }: WorkerQueueOptions): Thread {
	const worker = new Worker(script, {
		name,
		// Some of the process's options are for its main script alone.
		execArgv: [],
		resourceLimits: { maxOldGenerationSizeMb: memoryMebibytes, maxYoungGenerationSizeMb: 16 },
	});
	const thread: Thread = { worker, isReady: false };
	worker.once("message", () => {
		thread.isReady = true;
	});
	// `performInThread` reports errors. Without this listener, an error between two tasks would end the process.
	worker.on("error", () => undefined);
	return thread;
}

interface TaskOptions {
	readonly transfer: readonly ArrayBuffer[];
	readonly limitMs: number;
	readonly countsProcessorTime: boolean;
}

function performInThread<Input, Output>(
	{ worker, isReady }: Thread,
	input: Input,
	{ transfer, limitMs, countsProcessorTime }: TaskOptions,
): Promise<Output> {
	return new Promise((resolve, reject) => {
		const fail = (reason: WorkerFailureReason, cause?: unknown) =>
			settle(() => reject(new WorkerFailure(reason, cause)));
		const onLimit = () => fail("timeout");
		const startStartupTimer = () =>
			startTaskLimit(worker, { limitMs: START_TIMEOUT_MS, countsProcessorTime: false, onLimit });
		const startTaskTimer = () => startTaskLimit(worker, { limitMs, countsProcessorTime, onLimit });
		let limit = isReady ? startTaskTimer() : startStartupTimer();
		const onMessage = (message: WorkerMessage<Output>) => {
			if (message.type === "output") return settle(() => resolve(message.output));
			limit.stop();
			limit = startTaskTimer();
		};
		const onError = (error: Error & { code?: string }) =>
			fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "out_of_memory" : "crashed", error);
		const onExit = () => fail("crashed");
		function settle(finish: () => void): void {
			limit.stop();
			worker.off("message", onMessage).off("error", onError).off("exit", onExit);
			finish();
		}
		worker.on("message", onMessage).on("error", onError).on("exit", onExit);
		worker.postMessage(input, transfer);
	});
}
