/** A thread or process that may report the processor time that it has used, in microseconds. */
export interface CountedWorker {
	cpuUsage?(): Promise<ProcessorTime>;
}

export interface ProcessorTime {
	readonly user: number;
	readonly system: number;
}

/** Limit of one task of a worker. */
export interface TaskLimit {
	/** Ends the limit: the task is done. */
	stop(): void;
}

export interface TaskLimitOptions {
	readonly limitMs: number;
	/**
	 * Counts the processor time of the worker where it is reported, so that a busy machine fails no task. On the clock
	 * the task gets five times the limit, also where it is not reported. `false`: the limit is on the clock.
	 */
	readonly countsProcessorTime: boolean;
	/** Called once, unless the limit was stopped before. */
	readonly onLimit: () => void;
}

const WALL_CLOCK_FACTOR = 5;
/** Short tasks end before anybody asks the worker. All of this time counts as the processor's. */
const FIRST_CHECK_MS = 200;
const MIN_CHECK_INTERVAL_MS = 20;

/** Tells whether the processor time of a worker is reported. Of threads, Node 24.6 and later do it. */
export const canCountProcessorTime = (worker: object): boolean => "cpuUsage" in worker;

export function startTaskLimit(worker: CountedWorker, options: TaskLimitOptions): TaskLimit {
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

	/** A worker that has ended reports by an event of its own, which fails the task. */
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

async function readProcessorMs(worker: CountedWorker): Promise<number> {
	const { user = 0, system = 0 } = (await worker.cpuUsage?.()) ?? {};
	return (user + system) / 1_000;
}
