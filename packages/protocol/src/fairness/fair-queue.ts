/**
 * Queue of one scarce resource that several owners of work share: the workspaces of a service, or the addresses that call a
 * runtime. When work can start, the owner with the fewest pieces of work in flight is next; among equals, the one that has
 * used the least time. Within one owner, first come is first served, and what has started goes on before. An owner that is alone gets everything.
 */
export interface FairQueue {
	/**
	 * Runs the work once it is its turn, and settles as the work does. The work must not wait for a turn in the same queue.
	 *
	 * @throws the error of `createError` if the owner has as many waiting as it may; the work is not started then.
	 * @throws the reason of `signal` where it is aborted before the work starts. Work that has started is not told.
	 */
	run<Result>(owner: string, work: () => Promise<Result> | Result, options?: FairRunOptions): Promise<Result>;
	/**
	 * Waits for a turn for work that is not a single function: resolves when it may start.
	 *
	 * @returns what ends the work; to be called once.
	 */
	acquire(owner: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<() => void>;
	/** Rejects all work of an owner that waits for its turn. */
	cancel(owner: string, reason: unknown): void;
	/** Number of pieces of work of all owners that wait for their turn. */
	readonly queued: number;
}

export interface FairRunOptions {
	readonly signal?: AbortSignal | undefined;
	/**
	 * The work waits however many wait already: its result has been paid for, and what led to it bounds its number.
	 * Default false.
	 */
	readonly bypassesQueueLimit?: boolean | undefined;
	/** The work belongs to something that has started: it comes before its owner's other work. Default false. */
	readonly isContinuation?: boolean | undefined;
}

/** Reason why work is refused: its owner has too many waiting, or it has waited too long. */
export type RefusedWork = "too_many" | "too_long";

export interface FairQueueOptions {
	/** Pieces of work in flight at once, of all owners. */
	readonly concurrency: number;
	/** Pieces of work of one owner in flight at once. Default: `concurrency`, so that nothing idles. */
	readonly concurrencyPerOwner?: number | undefined;
	/** Pieces of work of one owner that may wait at once. */
	readonly maxWaiting: number;
	/** Longest time that work waits, in milliseconds; then it is refused. Default: as long as it takes. */
	readonly maxWaitMs?: number | undefined;
	/** Creates the error of work that is refused. */
	readonly createError: (reason: RefusedWork) => Error;
	/** Clock in milliseconds, for tests. Default: the monotonic clock of the process. */
	readonly now?: () => number;
}

interface QueuedWork {
	readonly isContinuation: boolean;
	start(): void;
	cancel(reason: unknown): void;
}

/** Part of one owner while it has work waiting or in flight. */
interface OwnerShare {
	readonly owner: string;
	readonly waiting: QueuedWork[];
	inFlight: number;
	/** Virtual time: what the owner had used when it came, and since. */
	usedMs: number;
}

interface Slot {
	readonly share: OwnerShare;
	/** Resolves when the turn comes; `undefined` where it has come. */
	readonly whenGranted: Promise<void> | undefined;
}

/** Creates a queue; it holds no timers and needs no closing. */
export const createFairQueue = (options: FairQueueOptions): FairQueue => new OwnerQueue(options);

class OwnerQueue implements FairQueue {
	readonly #options: FairQueueOptions;
	readonly #perOwner: number;
	readonly #now: () => number;
	readonly #shares = new Map<string, OwnerShare>();
	#inFlight = 0;
	#waiting = 0;
	/** Virtual time of the last start: who comes now begins there, so that idling saves up no claims. */
	#virtualMs = 0;

	constructor(options: FairQueueOptions) {
		const { concurrency, concurrencyPerOwner = concurrency, now = () => performance.now() } = options;
		this.#options = options;
		this.#perOwner = Math.min(concurrencyPerOwner, concurrency);
		this.#now = now;
	}

	get queued(): number {
		return this.#waiting;
	}

	async run<Result>(
		owner: string,
		work: () => Promise<Result> | Result,
		options: FairRunOptions = {},
	): Promise<Result> {
		const { share, whenGranted } = this.#acquireSlot(owner, options);
		// Without a wait the work starts at once.
		if (whenGranted !== undefined) await whenGranted;
		const startedMs = this.#now();
		try {
			return await work();
		} finally {
			this.#release(share, startedMs);
		}
	}

	async acquire(owner: string, options: Pick<FairRunOptions, "signal"> = {}): Promise<() => void> {
		const { share, whenGranted } = this.#acquireSlot(owner, options);
		await whenGranted;
		const startedMs = this.#now();
		return () => this.#release(share, startedMs);
	}

	cancel(owner: string, reason: unknown): void {
		for (const entry of [...(this.#shares.get(owner)?.waiting ?? [])]) entry.cancel(reason);
	}

	/** Takes a turn at once where there is one. */
	#acquireSlot(owner: string, options: FairRunOptions): Slot {
		const { signal, bypassesQueueLimit = false } = options;
		signal?.throwIfAborted();
		const { concurrency, maxWaiting, createError } = this.#options;
		const share = this.#getShare(owner);
		const isFree = this.#inFlight < concurrency && share.inFlight < this.#perOwner;
		if (isFree && share.waiting.length === 0) {
			this.#markStarted(share);
			return { share, whenGranted: undefined };
		}
		if (bypassesQueueLimit || share.waiting.length < maxWaiting)
			return { share, whenGranted: this.#enqueue(share, options).finally(() => this.#deleteIfIdle(share)) };
		this.#deleteIfIdle(share);
		throw createError("too_many");
	}

	#getShare(owner: string): OwnerShare {
		const found = this.#shares.get(owner);
		if (found !== undefined) return found;
		const share = { owner, waiting: [], inFlight: 0, usedMs: this.#virtualMs };
		this.#shares.set(owner, share);
		return share;
	}

	#markStarted(share: OwnerShare): void {
		this.#inFlight += 1;
		share.inFlight += 1;
		this.#virtualMs = Math.max(this.#virtualMs, share.usedMs);
	}

	#release(share: OwnerShare, startedMs: number): void {
		this.#inFlight -= 1;
		share.inFlight -= 1;
		share.usedMs += this.#now() - startedMs;
		this.#startNext();
		this.#deleteIfIdle(share);
	}

	#startNext(): void {
		while (this.#inFlight < this.#options.concurrency) {
			const next = findNext(this.#shares.values(), this.#perOwner);
			if (next === undefined) return;
			this.#waiting -= 1;
			this.#markStarted(next);
			next.waiting.shift()?.start();
		}
	}

	#enqueue(share: OwnerShare, { signal, isContinuation = false }: FairRunOptions): Promise<void> {
		const { maxWaitMs, createError } = this.#options;
		return new Promise((resolve, reject) => {
			const end = (): void => {
				signal?.removeEventListener("abort", onAbort);
				clearTimeout(timer);
			};
			const entry: QueuedWork = {
				isContinuation,
				start() {
					end();
					resolve();
				},
				cancel: (reason) => {
					end();
					share.waiting.splice(share.waiting.indexOf(entry), 1);
					this.#waiting -= 1;
					reject(reason);
				},
			};
			const onAbort = (): void => entry.cancel(signal?.reason);
			const timer =
				maxWaitMs === undefined
					? undefined
					: setTimeout(() => entry.cancel(createError("too_long")), maxWaitMs);
			signal?.addEventListener("abort", onAbort, { once: true });
			insertInOrder(share.waiting, entry);
			this.#waiting += 1;
		});
	}

	#deleteIfIdle({ owner, inFlight, waiting }: OwnerShare): void {
		if (inFlight === 0 && waiting.length === 0) this.#shares.delete(owner);
	}
}

function insertInOrder(waiting: QueuedWork[], entry: QueuedWork): void {
	const index = entry.isContinuation ? waiting.findIndex(({ isContinuation }) => !isContinuation) : -1;
	if (index === -1) waiting.push(entry);
	else waiting.splice(index, 0, entry);
}

/** Picks whose turn it is; of equals, the one that came first. */
function findNext(shares: Iterable<OwnerShare>, perOwner: number): OwnerShare | undefined {
	let next: OwnerShare | undefined;
	for (const share of shares) {
		if (share.waiting.length === 0 || share.inFlight >= perOwner) continue;
		if (next === undefined || isBefore(share, next)) next = share;
	}
	return next;
}

const isBefore = (one: OwnerShare, other: OwnerShare): boolean =>
	one.inFlight === other.inFlight ? one.usedMs < other.usedMs : one.inFlight < other.inFlight;
