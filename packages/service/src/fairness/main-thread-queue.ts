import { setTimeout as wait } from "node:timers/promises";
import { DomainError } from "../errors/domain-error";
import { createFairQueue } from "./fair-queue";
import { createOverloadPauses } from "./overload-pauses";

/**
 * Turns on the main thread, where all requests are read, checked and answered. Each turn of the event loop starts the work
 * of one workspace, so that another's request never waits for a whole burst. A workspace whose turn took long leaves the
 * thread to the others for as long again, while there are others: their requests need several turns of the event loop each.
 * While the thread is overloaded, the workspace with the most waiting requests waits longer between its turns.
 */
export interface MainThreadQueue {
	/**
	 * Resolves when a new request of the workspace may start.
	 *
	 * @throws DomainError 429 `too_many_waiting` where others send requests, too, and the workspace is slowed down so much that
	 * the request would wait longer than {@link MAX_SLOWED_WAIT_MS}.
	 * @throws the reason of `signal` where it is aborted before.
	 */
	start(workspaceId: string, signal?: AbortSignal): Promise<void>;
	/**
	 * Resolves when more work of a request that has started may be done; it is never refused.
	 *
	 * @throws the reason of `signal` where it is aborted before.
	 */
	wait(workspaceId: string, signal?: AbortSignal): Promise<void>;
}

/** Time in milliseconds that a new request of a workspace which is slowed down may have to wait for its turn. */
export const MAX_SLOWED_WAIT_MS = 30_000;

/** Milliseconds of a turn that are not made up for. */
const MIN_COMPENSATED_MS = 2;
/** Milliseconds since a workspace's last turn, up to which others leave it room. */
const RECENT_WINDOW_MS = 1000;

/** @param pauses - of workspaces that send more than the thread can do; default: by how busy this thread is. */
export function createMainThreadQueue(pauses = createOverloadPauses()): MainThreadQueue {
	const queue = createFairQueue({
		concurrency: 1,
		// Requests in flight are limited where they come in.
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "requests",
	});
	const perWorkspaceQueue = createFairQueue({
		concurrency: Number.POSITIVE_INFINITY,
		concurrencyPerWorkspace: 1,
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "requests",
	});
	const recent = createRecentTurns();
	const waiting = new Map<string, number>();

	function countWaiting(workspaceId: string, change: 1 | -1): void {
		const count = (waiting.get(workspaceId) ?? 0) + change;
		if (count === 0) waiting.delete(workspaceId);
		else waiting.set(workspaceId, count);
	}

	/**
	 * Takes a turn, which lasts until the event loop comes round.
	 *
	 * @returns milliseconds that the work took before it waited for something.
	 */
	async function runInTick(workspaceId: string, onTurn: () => void, signal?: AbortSignal): Promise<number> {
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
		await queue.run(workspaceId, work, { signal });
		recent.record(workspaceId, performance.now());
		return ms;
	}

	async function waitForTurn(workspaceId: string, signal?: AbortSignal): Promise<void> {
		countWaiting(workspaceId, 1);
		try {
			await new Promise<void>((resolve, reject) => {
				const runInOrder = async (): Promise<void> => {
					const ms = await runInTick(workspaceId, resolve, signal);
					const pauseMs = Math.max(pauses.find(workspaceId, waiting), ms > MIN_COMPENSATED_MS ? ms : 0);
					if (pauseMs > 0 && recent.hasOtherActiveWorkspaces(workspaceId)) await wait(pauseMs);
				};
				perWorkspaceQueue.run(workspaceId, runInOrder, { signal }).catch(reject);
			});
		} finally {
			countWaiting(workspaceId, -1);
		}
	}

	return {
		async start(workspaceId, signal) {
			const count = waiting.get(workspaceId) ?? 0;
			if (count > 0 && recent.hasOtherActiveWorkspaces(workspaceId)) {
				const waitMs = count * pauses.find(workspaceId, waiting);
				if (waitMs > MAX_SLOWED_WAIT_MS) throw tooManyWaiting(count);
			}
			await waitForTurn(workspaceId, signal);
		},
		wait: waitForTurn,
	};
}

const tooManyWaiting = (count: number): DomainError =>
	new DomainError(
		"too_many_waiting",
		`The service is busy, and ${count} requests of this workspace are waiting already.`,
		{ hint: "Send fewer at once and try again later.", retryAfterSeconds: 1 },
	);

/** The last turns of the two workspaces that had one last. */
function createRecentTurns() {
	let latest = { workspaceId: "", endedMs: Number.NEGATIVE_INFINITY };
	let other = latest;
	return {
		record(workspaceId: string, endedMs: number): void {
			if (latest.workspaceId !== workspaceId) other = latest;
			latest = { workspaceId, endedMs };
		},
		/** Checks whether another workspace had a turn a short while ago. */
		hasOtherActiveWorkspaces(workspaceId: string): boolean {
			const { endedMs } = latest.workspaceId === workspaceId ? other : latest;
			return performance.now() - endedMs < RECENT_WINDOW_MS;
		},
	};
}
