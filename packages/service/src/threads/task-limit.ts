import type { Worker } from "node:worker_threads";

/** Limit of one task of a worker thread. */
export interface TaskLimit {
	/** Ends the limit: the task is done. */
	stop(): void;
}

export interface TaskLimitOptions {
	readonly limitMs: number;
	/**
	 * Counts the processor time of the thread where Node reports it, so that a busy machine fails no task. On the clock
	 * the task gets five times the limit, also where Node does not report it. `false`: the limit is on the clock.
	 */
	readonly countsProcessorTime: boolean;
	/** Called once, unless the limit was stopped before. */
	readonly onLimit: () => void;
}

const WALL_CLOCK_FACTOR = 5;
/** Short tasks end before anybody asks the thread. All of this time counts as the processor's. */
const FIRST_CHECK_MS = 200;
const MIN_CHECK_INTERVAL_MS = 20;

/** Tells whether this release of Node reports the processor time of a thread: 24.6 and later do. */
export const canCountProcessorTime = (worker: object): boolean => "cpuUsage" in worker;

export function startTaskLimit(worker: Worker, options: TaskLimitOptions): TaskLimit {
	const { limitMs, countsProcessorTime, onLimit } = options;
	const canCount = canCountProcessorTime(worker);
	if (!countsProcessorTime || !canCount || limitMs <= FIRST_CHECK_MS) {
		const clockMs = countsProcessorTime && !canCount ? WALL_CLOCK_FACTOR * limitMs : limitMs;
		const timer = setTimeout(onLimit, clockMs);
		return { stop: () => clearTimeout(timer) };
	}
	let isStopped = false;
	let beforeMs: number | undefined;
	const end = setTimeout(onReached, WALL_CLOCK_FACTOR * limitMs);
	let next = setTimeout(checkUsage, FIRST_CHECK_MS);

	function stop(): void {
		isStopped = true;
		clearTimeout(end);
		clearTimeout(next);
	}

	function onReached(): void {
		if (isStopped) return;
		stop();
		onLimit();
	}

	/** A thread that has ended reports by an event of its own, which fails the task. */
	function checkUsage(): void {
		void readProcessorMs(worker).then(compareUsage, () => undefined);
	}

	function compareUsage(processorMs: number): void {
		if (isStopped) return;
		beforeMs ??= processorMs - FIRST_CHECK_MS;
		const leftMs = limitMs - (processorMs - beforeMs);
		if (leftMs <= 0) onReached();
		else next = setTimeout(checkUsage, Math.max(leftMs, MIN_CHECK_INTERVAL_MS));
	}

	return { stop };
}

async function readProcessorMs(worker: Worker): Promise<number> {
	const { user, system } = await worker.cpuUsage();
	return (user + system) / 1_000;
}
