import { setTimeout as wait } from "node:timers/promises";
import { createFairQueue, type FairQueue, type FairRunOptions } from "./fair-queue";
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
	 * would wait, or has waited, longer than {@link MAX_SLOWED_WAIT_MS}.
	 * @throws the reason of `signal` where it is aborted before.
	 */
	start(owner: string, signal?: AbortSignal): Promise<void>;
	/**
	 * Resolves when more work of a request that has started may be done; it is never refused, and comes before requests of
	 * its owner that have not started.
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
export const createMainThreadQueue = (options: MainThreadQueueOptions): MainThreadQueue =>
	new TurnQueue(options);

class TurnQueue implements MainThreadQueue {
	readonly #createError: (waiting: number) => Error;
	readonly #pauses: OverloadPauses;
	/** One piece of work at a time, of all owners. */
	readonly #queue: FairQueue;
	/** The work of each owner in its order, with the pauses in between. */
	readonly #perOwnerQueue: FairQueue;
	readonly #recent = createRecentTurns();
	readonly #turn = createTurnClock();
	readonly #waiting = new Map<string, number>();

	constructor({ createError, pauses = createOverloadPauses() }: MainThreadQueueOptions) {
		this.#createError = createError;
		this.#pauses = pauses;
		const unlimited = {
			// Requests in flight are limited where they come in.
			maxWaiting: Number.POSITIVE_INFINITY,
			createError: () => createError(Number.POSITIVE_INFINITY),
		};
		this.#queue = createFairQueue({ ...unlimited, concurrency: 1 });
		this.#perOwnerQueue = createFairQueue({
			...unlimited,
			concurrency: Number.POSITIVE_INFINITY,
			concurrencyPerOwner: 1,
		});
	}

	async start(owner: string, signal?: AbortSignal): Promise<void> {
		if (!this.#recent.hasOtherActiveOwners(owner)) {
			if (!this.#waiting.has(owner) && this.#turn.hasTime())
				return this.#recent.record(owner, performance.now());
			if (await this.#waitAlone(owner, signal)) return;
		}
		const count = this.#waiting.get(owner) ?? 0;
		if (count > 0 && count * this.#pauses.find(owner, this.#waiting) > MAX_SLOWED_WAIT_MS)
			throw this.#createError(count);
		const refusal = new AbortController();
		const timer = setInterval(() => {
			if (this.#isSlowedDown(owner)) refusal.abort(this.#createError(this.#waiting.get(owner) ?? 0));
		}, MAX_SLOWED_WAIT_MS);
		const either = signal === undefined ? refusal.signal : AbortSignal.any([signal, refusal.signal]);
		await this.#waitForTurn(owner, { signal: either }).finally(() => clearInterval(timer));
	}

	wait(owner: string, signal?: AbortSignal): Promise<void> {
		return this.#waitForTurn(owner, { signal, isContinuation: true });
	}

	/**
	 * Waits for a turn of the event loop that has time for a request of an owner that is alone. One callback for each: what
	 * a request does at once is done before the next one starts.
	 *
	 * @returns false where others have come meanwhile.
	 */
	async #waitAlone(owner: string, signal: AbortSignal | undefined): Promise<boolean> {
		const isAlone = (): boolean => !this.#recent.hasOtherActiveOwners(owner);
		let hasTime = false;
		this.#countWaiting(owner, 1);
		while (!hasTime && isAlone()) {
			await new Promise<void>((resolve) => {
				setImmediate(resolve);
			});
			hasTime = isAlone() && this.#turn.hasTime();
		}
		this.#countWaiting(owner, -1);
		signal?.throwIfAborted();
		if (hasTime) this.#recent.record(owner, performance.now());
		return hasTime;
	}

	#isSlowedDown(owner: string): boolean {
		return this.#recent.hasOtherActiveOwners(owner) && this.#pauses.find(owner, this.#waiting) > 0;
	}

	async #waitForTurn(owner: string, options: FairRunOptions): Promise<void> {
		this.#countWaiting(owner, 1);
		try {
			await new Promise<void>((resolve, reject) => {
				const runInOrder = async (): Promise<void> => {
					const ms = await this.#runInTick(owner, resolve, options.signal);
					const overloadMs = this.#pauses.find(owner, this.#waiting);
					const pauseMs = Math.max(overloadMs, ms > MIN_COMPENSATED_MS ? ms : 0);
					if (pauseMs > 0 && this.#recent.hasOtherActiveOwners(owner)) await wait(pauseMs);
				};
				this.#perOwnerQueue.run(owner, runInOrder, options).catch(reject);
			});
		} finally {
			this.#countWaiting(owner, -1);
		}
	}

	/**
	 * Takes a turn, which lasts until the event loop comes round.
	 *
	 * @returns milliseconds that the work took before it waited for something.
	 */
	async #runInTick(owner: string, onTurn: () => void, signal?: AbortSignal): Promise<number> {
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
		await this.#queue.run(owner, work, { signal });
		this.#recent.record(owner, performance.now());
		return ms;
	}

	#countWaiting(owner: string, change: 1 | -1): void {
		const count = (this.#waiting.get(owner) ?? 0) + change;
		if (count === 0) this.#waiting.delete(owner);
		else this.#waiting.set(owner, count);
	}
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
