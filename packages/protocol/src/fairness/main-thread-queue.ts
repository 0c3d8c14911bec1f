import { setTimeout as wait } from "node:timers/promises";
import { createFairQueue } from "./fair-queue";
import { createOverloadPauses, type OverloadPauses } from "./overload-pauses";

/**
 * Turns on the main thread, where all requests are read, checked and answered. Each turn of the event loop starts the work
 * of one owner, so that another's request never waits for a whole burst; an owner that is alone starts as much as it can in
 * a few milliseconds. An owner whose turn took long leaves the thread to the others for as long again, while there are
 * others: their requests need several turns of the event loop each. While the thread is overloaded, the owner with the most
 * waiting requests waits longer between its turns.
 */
export interface MainThreadQueue {
	/**
	 * Resolves when a new request of the owner may start.
	 *
	 * @throws the error of `createError` if others send requests, too, and the owner is slowed down so much that the request
	 * would wait longer than {@link MAX_SLOWED_WAIT_MS}.
	 * @throws the reason of `signal` where it is aborted before.
	 */
	start(owner: string, signal?: AbortSignal): Promise<void>;
	/**
	 * Resolves when more work of a request that has started may be done; it is never refused.
	 *
	 * @throws the reason of `signal` where it is aborted before.
	 */
	wait(owner: string, signal?: AbortSignal): Promise<void>;
}

/** Time in milliseconds that a new request of an owner which is slowed down may have to wait for its turn. */
export const MAX_SLOWED_WAIT_MS = 30_000;

/** Time in milliseconds for which requests of an owner that is alone start in one turn of the event loop. */
const MAX_TURN_MS = 5;
/** Milliseconds of a turn that are not made up for. */
const MIN_COMPENSATED_MS = 2;
/** Milliseconds since an owner's last turn, up to which others leave it room. */
const RECENT_WINDOW_MS = 1000;

export interface MainThreadQueueOptions {
	/** Creates the error of a request that is refused. @param waiting - requests of its owner that wait already. */
	readonly createError: (waiting: number) => Error;
	/** Pauses of owners that send more than the thread can do. Default: by how busy this thread is. */
	readonly pauses?: OverloadPauses;
}

/** Creates the turns; they need no closing. */
export function createMainThreadQueue({
	createError,
	pauses = createOverloadPauses(),
}: MainThreadQueueOptions): MainThreadQueue {
	const unlimited = {
		// Requests in flight are limited where they come in.
		maxWaiting: Number.POSITIVE_INFINITY,
		createError: () => createError(Number.POSITIVE_INFINITY),
	};
	const queue = createFairQueue({ ...unlimited, concurrency: 1 });
	const perOwnerQueue = createFairQueue({
		...unlimited,
		concurrency: Number.POSITIVE_INFINITY,
		concurrencyPerOwner: 1,
	});
	const recent = createRecentTurns();
	const turn = createTurnClock();
	const waiting = new Map<string, number>();

	function countWaiting(owner: string, change: 1 | -1): void {
		const count = (waiting.get(owner) ?? 0) + change;
		if (count === 0) waiting.delete(owner);
		else waiting.set(owner, count);
	}

	/**
	 * Takes a turn, which lasts until the event loop comes round.
	 *
	 * @returns milliseconds that the work took before it waited for something.
	 */
	async function runInTick(owner: string, onTurn: () => void, signal?: AbortSignal): Promise<number> {
		let ms = 0;
		const work = (): Promise<void> => {
			const startedMs = performance.now();
			onTurn();
			return new Promise((end) => {
				// Runs after all promises that the work resolves at once.
				process.nextTick(() => {
					ms = performance.now() - startedMs;
				});
				setImmediate(end);
			});
		};
		await queue.run(owner, work, { signal });
		recent.record(owner, performance.now());
		return ms;
	}

	async function acquire(owner: string, signal?: AbortSignal): Promise<void> {
		countWaiting(owner, 1);
		try {
			await new Promise<void>((resolve, reject) => {
				const runInOrder = async (): Promise<void> => {
					const ms = await runInTick(owner, resolve, signal);
					const pauseMs = Math.max(pauses.find(owner, waiting), ms > MIN_COMPENSATED_MS ? ms : 0);
					if (pauseMs > 0 && recent.hasOtherActiveOwners(owner)) await wait(pauseMs);
				};
				perOwnerQueue.run(owner, runInOrder, { signal }).catch(reject);
			});
		} finally {
			countWaiting(owner, -1);
		}
	}

	return {
		async start(owner, signal) {
			if (!waiting.has(owner) && !recent.hasOtherActiveOwners(owner) && turn.hasTime()) {
				recent.record(owner, performance.now());
				return;
			}
			const count = waiting.get(owner) ?? 0;
			if (count > 0 && recent.hasOtherActiveOwners(owner)) {
				const waitMs = count * pauses.find(owner, waiting);
				if (waitMs > MAX_SLOWED_WAIT_MS) throw createError(count);
			}
			await acquire(owner, signal);
		},
		wait: acquire,
	};
}

/** Time since the first request that started in this turn of the event loop. */
function createTurnClock() {
	let startedMs: number | undefined;
	return {
		/** Checks whether another request may start before the event loop comes round. */
		hasTime(): boolean {
			if (startedMs !== undefined) return performance.now() - startedMs < MAX_TURN_MS;
			startedMs = performance.now();
			setImmediate(() => {
				startedMs = undefined;
			});
			return true;
		},
	};
}

/** The last turns of the two owners that had one last. */
function createRecentTurns() {
	let latest = { owner: "", endedMs: Number.NEGATIVE_INFINITY };
	let other = latest;
	return {
		record(owner: string, endedMs: number): void {
			if (latest.owner !== owner) other = latest;
			latest = { owner, endedMs };
		},
		/** Checks whether another owner had a turn a short while ago. */
		hasOtherActiveOwners(owner: string): boolean {
			const { endedMs } = latest.owner === owner ? other : latest;
			return performance.now() - endedMs < RECENT_WINDOW_MS;
		},
	};
}
