import { ApiError } from "../http/api-error";

/**
 * Queue of one scarce resource that all workspaces share. When work can start, the workspace with the fewest pieces of work
 * in flight is next; among equals, the one that has used the least time. Within one workspace, first come is first served.
 * A workspace that is alone gets everything.
 */
export interface FairQueue {
	/**
	 * Runs the work once it is its turn, and settles as the work does. The work must not wait for a turn in the same queue.
	 *
	 * @throws ApiError 429 `too_many_waiting` where the workspace has as many waiting as it may; the work is not started then.
	 * @throws the reason of `signal` where it is aborted before the work starts. Work that has started is not told.
	 */
	run<Result>(
		workspaceId: string,
		work: () => Promise<Result> | Result,
		options?: FairRunOptions,
	): Promise<Result>;
	/**
	 * The same for work that has no one function: resolves when it may start.
	 *
	 * @returns what ends the work; to be called once.
	 */
	enter(workspaceId: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<() => void>;
	/** Rejects all work of a workspace that waits for its turn. */
	cancel(workspaceId: string, reason: unknown): void;
	/** Number of pieces of work of all workspaces that wait for their turn. */
	readonly waiting: number;
}

export interface FairRunOptions {
	readonly signal?: AbortSignal | undefined;
	/**
	 * The work waits however many wait already: its result has been paid for, and what led to it bounds its number.
	 * Default false.
	 */
	readonly isNeverRefused?: boolean | undefined;
}

export interface FairQueueOptions {
	/** Pieces of work in flight at once, of all workspaces. */
	readonly concurrency: number;
	/** Pieces of work of one workspace in flight at once. Default: `concurrency`, so that nothing idles. */
	readonly concurrencyPerWorkspace?: number | undefined;
	/** Pieces of work of one workspace that may wait at once. */
	readonly maxWaiting: number;
	/** Longest time that work waits, in milliseconds; then it is refused with 429 `too_many_waiting`. Default: as long as it takes. */
	readonly maxWaitMs?: number | undefined;
	/** Name of the work in errors, in the plural: "searches". */
	readonly name: string;
	/** Setting that an operator raises against refusals: `limits.waiting_searches`. */
	readonly setting?: string | undefined;
	/** `retry-after` of refusals, in seconds. Default 1. */
	readonly retryAfterSeconds?: number;
	/** Clock in milliseconds, for tests. Default: the monotonic clock of the process. */
	readonly now?: () => number;
}

interface Waiting {
	start(): void;
	cancel(reason: unknown): void;
}

/** Part of one workspace while it has work waiting or in flight. */
interface Share {
	readonly waiting: Waiting[];
	inFlight: number;
	/** Virtual time: what the workspace had used when it came, and since. */
	usedMs: number;
}

interface Turn {
	readonly share: Share;
	/** Resolves when the turn comes; `undefined` where it has come. */
	readonly whenTaken: Promise<void> | undefined;
}

/** Creates a queue; it holds no timers and needs no closing. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
	const { concurrency, maxWaiting, maxWaitMs, now = () => performance.now() } = options;
	const perWorkspace = Math.min(options.concurrencyPerWorkspace ?? concurrency, concurrency);
	const shares = new Map<string, Share>();
	let inFlight = 0;
	let waiting = 0;
	/** Virtual time of the last start: who comes now begins there, so that idling saves up no claims. */
	let virtualMs = 0;

	function shareOf(workspaceId: string): Share {
		const found = shares.get(workspaceId) ?? { waiting: [], inFlight: 0, usedMs: virtualMs };
		shares.set(workspaceId, found);
		return found;
	}

	function startNext(): void {
		while (inFlight < concurrency) {
			const next = findNext(shares.values(), perWorkspace);
			if (next === undefined) return;
			waiting -= 1;
			begin(next);
			next.waiting.shift()?.start();
		}
	}

	function begin(share: Share): void {
		inFlight += 1;
		share.inFlight += 1;
		virtualMs = Math.max(virtualMs, share.usedMs);
	}

	function waitForTurn(share: Share, signal: AbortSignal | undefined): Promise<void> {
		return new Promise((resolve, reject) => {
			const end = (): void => {
				signal?.removeEventListener("abort", leave);
				clearTimeout(timer);
			};
			const entry: Waiting = {
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
			const leave = (): void => entry.cancel(signal?.reason);
			const timer =
				maxWaitMs === undefined
					? undefined
					: setTimeout(() => entry.cancel(waitedTooLong(options, maxWaitMs)), maxWaitMs);
			signal?.addEventListener("abort", leave, { once: true });
			share.waiting.push(entry);
			waiting += 1;
		});
	}

	function forgetIdle(workspaceId: string, share: Share): void {
		if (share.inFlight === 0 && share.waiting.length === 0) shares.delete(workspaceId);
	}

	/** Takes a turn at once where there is one. */
	function take(workspaceId: string, { signal, isNeverRefused = false }: FairRunOptions): Turn {
		signal?.throwIfAborted();
		const share = shareOf(workspaceId);
		if (inFlight < concurrency && share.inFlight < perWorkspace && share.waiting.length === 0) {
			begin(share);
			return { share, whenTaken: undefined };
		}
		if (isNeverRefused || share.waiting.length < maxWaiting)
			return { share, whenTaken: waitForTurn(share, signal).finally(() => forgetIdle(workspaceId, share)) };
		forgetIdle(workspaceId, share);
		throw tooManyWaiting(options);
	}

	function toLeave(workspaceId: string, share: Share): () => void {
		const startedMs = now();
		return () => {
			inFlight -= 1;
			share.inFlight -= 1;
			share.usedMs += now() - startedMs;
			startNext();
			forgetIdle(workspaceId, share);
		};
	}

	return {
		async enter(workspaceId, { signal } = {}) {
			const { share, whenTaken } = take(workspaceId, { signal });
			await whenTaken;
			return toLeave(workspaceId, share);
		},
		get waiting() {
			return waiting;
		},
		cancel(workspaceId, reason) {
			for (const entry of [...(shares.get(workspaceId)?.waiting ?? [])]) entry.cancel(reason);
		},
		async run(workspaceId, work, options = {}) {
			const { share, whenTaken } = take(workspaceId, options);
			// Without a wait the work starts at once.
			if (whenTaken !== undefined) await whenTaken;
			const leave = toLeave(workspaceId, share);
			try {
				return await work();
			} finally {
				leave();
			}
		},
	};
}

/** Picks whose turn it is; of equals, the one that came first. */
function findNext(shares: Iterable<Share>, perWorkspace: number): Share | undefined {
	let next: Share | undefined;
	for (const share of shares) {
		if (share.waiting.length === 0 || share.inFlight >= perWorkspace) continue;
		if (next === undefined || isBefore(share, next)) next = share;
	}
	return next;
}

const isBefore = (one: Share, other: Share): boolean =>
	one.inFlight === other.inFlight ? one.usedMs < other.usedMs : one.inFlight < other.inFlight;

const waitedTooLong = ({ name, retryAfterSeconds = 1 }: FairQueueOptions, ms: number): ApiError =>
	new ApiError(429, "too_many_waiting", `Other ${name} of this workspace took longer than ${ms / 1000} s.`, {
		hint: "Send fewer at once and try again later.",
		retryAfterSeconds,
	});

const tooManyWaiting = ({ name, maxWaiting, setting, retryAfterSeconds = 1 }: FairQueueOptions): ApiError =>
	new ApiError(429, "too_many_waiting", `${maxWaiting} ${name} of this workspace are waiting already.`, {
		hint: `Send fewer at once and try again later${setting === undefined ? "" : `, or ask the operator to raise ${setting}`}.`,
		retryAfterSeconds,
	});
