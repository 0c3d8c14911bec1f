/**
 * Queue of one scarce resource that several owners of work share: the workspaces of a service, or the addresses that call a
 * runtime. When work can start, the owner with the fewest pieces of work in flight is next; among equals, the one that has
 * used the least time. Within one owner, first come is first served. An owner that is alone gets everything.
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
	start(): void;
	cancel(reason: unknown): void;
}

/** Part of one owner while it has work waiting or in flight. */
interface OwnerShare {
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
export function createFairQueue(options: FairQueueOptions): FairQueue {
	const { concurrency, maxWaiting, maxWaitMs, now = () => performance.now() } = options;
	const perOwner = Math.min(options.concurrencyPerOwner ?? concurrency, concurrency);
	const shares = new Map<string, OwnerShare>();
	let inFlight = 0;
	let waiting = 0;
	/** Virtual time of the last start: who comes now begins there, so that idling saves up no claims. */
	let virtualMs = 0;

	function getShare(owner: string): OwnerShare {
		const found = shares.get(owner) ?? { waiting: [], inFlight: 0, usedMs: virtualMs };
		shares.set(owner, found);
		return found;
	}

	function startNext(): void {
		while (inFlight < concurrency) {
			const next = findNext(shares.values(), perOwner);
			if (next === undefined) return;
			waiting -= 1;
			markStarted(next);
			next.waiting.shift()?.start();
		}
	}

	function markStarted(share: OwnerShare): void {
		inFlight += 1;
		share.inFlight += 1;
		virtualMs = Math.max(virtualMs, share.usedMs);
	}

	function enqueue(share: OwnerShare, signal: AbortSignal | undefined): Promise<void> {
		return new Promise((resolve, reject) => {
			const end = (): void => {
				signal?.removeEventListener("abort", release);
				clearTimeout(timer);
			};
			const entry: QueuedWork = {
				start() {
					end();
					resolve();
				},
				cancel(reason) {
					end();
					share.waiting.splice(share.waiting.indexOf(entry), 1);
					waiting -= 1;
					reject(reason);
				},
			};
			const release = (): void => entry.cancel(signal?.reason);
			const timer =
				maxWaitMs === undefined
					? undefined
					: setTimeout(() => entry.cancel(options.createError("too_long")), maxWaitMs);
			signal?.addEventListener("abort", release, { once: true });
			share.waiting.push(entry);
			waiting += 1;
		});
	}

	function deleteIfIdle(owner: string, share: OwnerShare): void {
		if (share.inFlight === 0 && share.waiting.length === 0) shares.delete(owner);
	}

	/** Takes a turn at once where there is one. */
	function acquireSlot(owner: string, { signal, bypassesQueueLimit = false }: FairRunOptions): Slot {
		signal?.throwIfAborted();
		const share = getShare(owner);
		if (inFlight < concurrency && share.inFlight < perOwner && share.waiting.length === 0) {
			markStarted(share);
			return { share, whenGranted: undefined };
		}
		if (bypassesQueueLimit || share.waiting.length < maxWaiting)
			return { share, whenGranted: enqueue(share, signal).finally(() => deleteIfIdle(owner, share)) };
		deleteIfIdle(owner, share);
		throw options.createError("too_many");
	}

	function createRelease(owner: string, share: OwnerShare): () => void {
		const startedMs = now();
		return () => {
			inFlight -= 1;
			share.inFlight -= 1;
			share.usedMs += now() - startedMs;
			startNext();
			deleteIfIdle(owner, share);
		};
	}

	return {
		async acquire(owner, { signal } = {}) {
			const { share, whenGranted } = acquireSlot(owner, { signal });
			await whenGranted;
			return createRelease(owner, share);
		},
		get queued() {
			return waiting;
		},
		cancel(owner, reason) {
			for (const entry of [...(shares.get(owner)?.waiting ?? [])]) entry.cancel(reason);
		},
		async run(owner, work, options = {}) {
			const { share, whenGranted } = acquireSlot(owner, options);
			// Without a wait the work starts at once.
			if (whenGranted !== undefined) await whenGranted;
			const release = createRelease(owner, share);
			try {
				return await work();
			} finally {
				release();
			}
		},
	};
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
