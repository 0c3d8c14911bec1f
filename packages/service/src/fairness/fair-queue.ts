import { DomainError } from "../errors/domain-error";

/**
 * Queue of one scarce resource that all workspaces share. When work can start, the workspace with the fewest pieces of work
 * in flight is next; among equals, the one that has used the least time. Within one workspace, first come is first served.
 * A workspace that is alone gets everything.
 */
export interface FairQueue {
	/**
	 * Runs the work once it is its turn, and settles as the work does. The work must not wait for a turn in the same queue.
	 *
	 * @throws DomainError 429 `too_many_waiting` where the workspace has as many waiting as it may; the work is not started then.
	 * @throws the reason of `signal` where it is aborted before the work starts. Work that has started is not told.
	 */
	run<Result>(
		workspaceId: string,
		work: () => Promise<Result> | Result,
		options?: FairRunOptions,
	): Promise<Result>;
	/**
	 * Waits for a turn for work that is not a single function: resolves when it may start.
	 *
	 * @returns what ends the work; to be called once.
	 */
	acquire(workspaceId: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<() => void>;
	/** Rejects all work of a workspace that waits for its turn. */
	cancel(workspaceId: string, reason: unknown): void;
	/** Number of pieces of work of all workspaces that wait for their turn. */
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

interface QueuedWork {
	start(): void;
	cancel(reason: unknown): void;
}

/** Part of one workspace while it has work waiting or in flight. */
interface WorkspaceShare {
	readonly waiting: QueuedWork[];
	inFlight: number;
	/** Virtual time: what the workspace had used when it came, and since. */
	usedMs: number;
}

interface Slot {
	readonly share: WorkspaceShare;
	/** Resolves when the turn comes; `undefined` where it has come. */
	readonly whenGranted: Promise<void> | undefined;
}

/** Creates a queue; it holds no timers and needs no closing. */
export function createFairQueue(options: FairQueueOptions): FairQueue {
	const { concurrency, maxWaiting, maxWaitMs, now = () => performance.now() } = options;
	const perWorkspace = Math.min(options.concurrencyPerWorkspace ?? concurrency, concurrency);
	const shares = new Map<string, WorkspaceShare>();
	let inFlight = 0;
	let waiting = 0;
	/** Virtual time of the last start: who comes now begins there, so that idling saves up no claims. */
	let virtualMs = 0;

	function getShare(workspaceId: string): WorkspaceShare {
		const found = shares.get(workspaceId) ?? { waiting: [], inFlight: 0, usedMs: virtualMs };
		shares.set(workspaceId, found);
		return found;
	}

	function startNext(): void {
		while (inFlight < concurrency) {
			const next = findNext(shares.values(), perWorkspace);
			if (next === undefined) return;
			waiting -= 1;
			markStarted(next);
			next.waiting.shift()?.start();
		}
	}

	function markStarted(share: WorkspaceShare): void {
		inFlight += 1;
		share.inFlight += 1;
		virtualMs = Math.max(virtualMs, share.usedMs);
	}

	function enqueue(share: WorkspaceShare, signal: AbortSignal | undefined): Promise<void> {
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
					: setTimeout(() => entry.cancel(waitedTooLong(options, maxWaitMs)), maxWaitMs);
			signal?.addEventListener("abort", release, { once: true });
			share.waiting.push(entry);
			waiting += 1;
		});
	}

	function deleteIfIdle(workspaceId: string, share: WorkspaceShare): void {
		if (share.inFlight === 0 && share.waiting.length === 0) shares.delete(workspaceId);
	}

	/** Takes a turn at once where there is one. */
	function acquireSlot(workspaceId: string, { signal, bypassesQueueLimit = false }: FairRunOptions): Slot {
		signal?.throwIfAborted();
		const share = getShare(workspaceId);
		if (inFlight < concurrency && share.inFlight < perWorkspace && share.waiting.length === 0) {
			markStarted(share);
			return { share, whenGranted: undefined };
		}
		if (bypassesQueueLimit || share.waiting.length < maxWaiting)
			return { share, whenGranted: enqueue(share, signal).finally(() => deleteIfIdle(workspaceId, share)) };
		deleteIfIdle(workspaceId, share);
		throw tooManyWaitingError(options);
	}

	function createRelease(workspaceId: string, share: WorkspaceShare): () => void {
		const startedMs = now();
		return () => {
			inFlight -= 1;
			share.inFlight -= 1;
			share.usedMs += now() - startedMs;
			startNext();
			deleteIfIdle(workspaceId, share);
		};
	}

	return {
		async acquire(workspaceId, { signal } = {}) {
			const { share, whenGranted } = acquireSlot(workspaceId, { signal });
			await whenGranted;
			return createRelease(workspaceId, share);
		},
		get queued() {
			return waiting;
		},
		cancel(workspaceId, reason) {
			for (const entry of [...(shares.get(workspaceId)?.waiting ?? [])]) entry.cancel(reason);
		},
		async run(workspaceId, work, options = {}) {
			const { share, whenGranted } = acquireSlot(workspaceId, options);
			// Without a wait the work starts at once.
			if (whenGranted !== undefined) await whenGranted;
			const release = createRelease(workspaceId, share);
			try {
				return await work();
			} finally {
				release();
			}
		},
	};
}

/** Picks whose turn it is; of equals, the one that came first. */
function findNext(shares: Iterable<WorkspaceShare>, perWorkspace: number): WorkspaceShare | undefined {
	let next: WorkspaceShare | undefined;
	for (const share of shares) {
		if (share.waiting.length === 0 || share.inFlight >= perWorkspace) continue;
		if (next === undefined || isBefore(share, next)) next = share;
	}
	return next;
}

const isBefore = (one: WorkspaceShare, other: WorkspaceShare): boolean =>
	one.inFlight === other.inFlight ? one.usedMs < other.usedMs : one.inFlight < other.inFlight;

const waitedTooLong = ({ name, retryAfterSeconds = 1 }: FairQueueOptions, ms: number): DomainError =>
	new DomainError("too_many_waiting", `Other ${name} of this workspace took longer than ${ms / 1000} s.`, {
		hint: "Send fewer at once and try again later.",
		retryAfterSeconds,
	});

const tooManyWaitingError = ({
	name,
	maxWaiting,
	setting,
	retryAfterSeconds = 1,
}: FairQueueOptions): DomainError =>
	new DomainError("too_many_waiting", `${maxWaiting} ${name} of this workspace are waiting already.`, {
		hint: `Send fewer at once and try again later${setting === undefined ? "" : `, or ask the operator to raise ${setting}`}.`,
		retryAfterSeconds,
	});
