import { performance } from "node:perf_hooks";

/** Pauses between the turns of an owner that sends more than the main thread can do. */
export interface OverloadPauses {
	/**
	 * Milliseconds for which an owner leaves the thread to others before its next turn; 0 while there is time for all.
	 *
	 * @param waiting - requests that wait for a turn, by owner.
	 */
	find(owner: string, waiting: ReadonlyMap<string, number>): number;
}

export interface OverloadPausesOptions {
	/** Share (0 to 1) of the time since the last call in which the event loop was busy. Default: that of this thread. */
	readonly readBusyShare?: () => number;
	/** Clock in milliseconds, for tests. Default: the monotonic clock of the process. */
	readonly now?: () => number;
}

/** Time between two adjustments, in milliseconds. */
const WINDOW_MS = 100;
/** Maximum busy share of a window; above it the thread is overloaded, and requests wait noticeably for each other. */
const MAX_BUSY_SHARE = 0.22;
/** Requests of one owner that may wait in an overloaded window. */
const MAX_WAITING = 16;
const MIN_PAUSE_MS = 4;
const MAX_PAUSE_MS = 1000;
/** A burst of a few seconds is hardly slowed down: from the shortest pause to the longest takes about five. */
const GROWTH = 1.12;
const DECLINE = 0.8;

/**
 * Creates the pauses. In each window in which the thread is overloaded, those of the owner with the most waiting requests
 * grow; in all other windows they shrink.
 */
export function createOverloadPauses(options: OverloadPausesOptions = {}): OverloadPauses {
	const { readBusyShare = createBusyShareReader(), now = () => performance.now() } = options;
	const pauses = new Map<string, number>();
	let windowStartMs = now();

	function adjust(waiting: ReadonlyMap<string, number>): void {
		const windows = Math.floor((now() - windowStartMs) / WINDOW_MS);
		if (windows < 1) return;
		windowStartMs = now();
		const heaviest = readBusyShare() > MAX_BUSY_SHARE ? findHeaviest(waiting) : undefined;
		for (const [owner, ms] of pauses) if (owner !== heaviest) setPause(owner, ms * DECLINE ** windows);
		if (heaviest !== undefined) setPause(heaviest, (pauses.get(heaviest) ?? MIN_PAUSE_MS) * GROWTH);
	}

	function setPause(owner: string, ms: number): void {
		if (ms < MIN_PAUSE_MS) pauses.delete(owner);
		else pauses.set(owner, Math.min(ms, MAX_PAUSE_MS));
	}

	return {
		find(owner, waiting) {
			adjust(waiting);
			return pauses.get(owner) ?? 0;
		},
	};
}

function findHeaviest(waiting: ReadonlyMap<string, number>): string | undefined {
	let heaviest: string | undefined;
	let most = MAX_WAITING;
	for (const [owner, count] of waiting)
		if (count > most) {
			heaviest = owner;
			most = count;
		}
	return heaviest;
}

function createBusyShareReader(): () => number {
	let last = performance.eventLoopUtilization();
	return () => {
		const current = performance.eventLoopUtilization();
		const { utilization } = performance.eventLoopUtilization(current, last);
		last = current;
		return utilization;
	};
}
