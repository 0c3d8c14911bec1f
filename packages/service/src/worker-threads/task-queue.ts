import { setTimeout as wait } from "node:timers/promises";
import { createSemaphore } from "@stemma/core/internal";
import { type CountedWorker, startTaskLimit } from "./task-limit";
import { WorkerFailure } from "./worker-failure";

/** Tasks for one worker, which performs them one at a time. A hostile task harms itself only. */
export interface TaskQueue<Input, Output> {
	/** @throws WorkerFailure */
	perform(input: Input, options?: PerformOptions): Promise<Output>;
	/** Waits up to 3 s for the tasks that are queued. Later tasks fail with the reason `stopped`. */
	stop(): Promise<void>;
}

export interface PerformOptions {
	/** Limit of this task. Default: the queue's. */
	readonly timeoutMs?: number;
}

/** A thread or a process that performs tasks. It starts when it is created. */
export interface TaskWorker<Input, Output> {
	/** Source of the processor time that the worker has used, where it can be counted. */
	readonly counted: CountedWorker;
	readonly isReady: boolean;
	/** True: it is replaced before the next task. */
	readonly isSpent: boolean;
	readonly hasEnded: boolean;
	/** Sends a task. @returns a function that ends listening. */
	send(input: Input, events: TaskEvents<Output>): () => void;
	/** Ends it at once, whatever it is doing. */
	end(): Promise<unknown>;
}

/** Events of one task: first `onReady` where the worker was not ready, then one of the others. */
export interface TaskEvents<Output> {
	onReady(): void;
	onOutput(output: Output): void;
	onFailure(failure: WorkerFailure): void;
}

export interface TaskQueueOptions<Input, Output> {
	start(): TaskWorker<Input, Output>;
	/** Limit of one task, without the time that the worker takes to start. */
	readonly timeoutMs: number;
	/** The limit counts the worker's processor time; where it is not known, five times as much on the clock. Default false. */
	readonly countsProcessorTime?: boolean | undefined;
	/** Time without a task after which the worker ends. */
	readonly idleMs: number;
}

const START_TIMEOUT_MS = 30_000;
const STOP_GRACE_MS = 3_000;

/** Creates a queue whose worker starts with the first task and ends after some time without one. */
export function createTaskQueue<Input, Output>(
	options: TaskQueueOptions<Input, Output>,
): TaskQueue<Input, Output> {
	let worker: TaskWorker<Input, Output> | undefined;
	const mutex = createSemaphore(1);
	let idle: NodeJS.Timeout | undefined;
	let isStopped = false;

	async function end(): Promise<void> {
		const ended = worker;
		worker = undefined;
		await ended?.end();
	}

	function getWorker(): TaskWorker<Input, Output> {
		if (worker === undefined || worker.hasEnded) worker = options.start();
		return worker;
	}

	async function performNext(
		input: Input,
		{ timeoutMs = options.timeoutMs }: PerformOptions,
	): Promise<Output> {
		if (isStopped) throw new WorkerFailure("stopped");
		clearTimeout(idle);
		try {
			const output = await performTask(getWorker(), input, { ...options, timeoutMs });
			if (worker?.isSpent) await end();
			return output;
		} catch (error) {
			await end();
			throw isStopped ? new WorkerFailure("stopped", error) : error;
		} finally {
			idle = setTimeout(() => void end(), options.idleMs).unref();
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

function performTask<Input, Output>(
	worker: TaskWorker<Input, Output>,
	input: Input,
	{ timeoutMs, countsProcessorTime = false }: Omit<TaskQueueOptions<Input, Output>, "start">,
): Promise<Output> {
	return new Promise((resolve, reject) => {
		const onLimit = (): void => settle(() => reject(new WorkerFailure("timeout")));
		const startLimit = (limitMs: number, counts: boolean) =>
			startTaskLimit(worker.counted, { limitMs, countsProcessorTime: counts, onLimit });
		let limit = worker.isReady
			? startLimit(timeoutMs, countsProcessorTime)
			: startLimit(START_TIMEOUT_MS, false);
		const stopListening = worker.send(input, {
			onReady() {
				limit.stop();
				limit = startLimit(timeoutMs, countsProcessorTime);
			},
			onOutput: (output) => settle(() => resolve(output)),
			onFailure: (failure) => settle(() => reject(failure)),
		});
		function settle(finish: () => void): void {
			limit.stop();
			stopListening();
			finish();
		}
	});
}
