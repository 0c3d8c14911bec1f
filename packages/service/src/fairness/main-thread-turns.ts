import { setTimeout as wait } from "node:timers/promises";
import { createFairQueue } from "./fair-queue";

/**
 * Turns on the main thread, where all requests are read, checked and answered. Each turn of the event loop starts the work
 * of one workspace, so that another's request never waits for a whole burst. A workspace whose turn took long leaves the
 * thread to the others for as long again, while there are others: their requests need several turns of the event loop each.
 */
export interface MainThreadTurns {
	/**
	 * Resolves when work of the workspace may start.
	 *
	 * @throws the reason of `signal` where it is aborted before.
	 */
	wait(workspaceId: string, signal?: AbortSignal): Promise<void>;
}

/** Milliseconds of a turn that are not made up for. */
const SHORT_MS = 2;
/** Milliseconds since a workspace's last turn, up to which others leave it room. */
const RECENT_MS = 1000;

export function createMainThreadTurns(): MainThreadTurns {
	const queue = createFairQueue({
		concurrency: 1,
		// Requests in flight are limited where they come in.
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "requests",
	});
	const lanes = createFairQueue({
		concurrency: Number.POSITIVE_INFINITY,
		concurrencyPerWorkspace: 1,
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "requests",
	});
	const recent = createRecentTurns();

	/** Takes a turn, which lasts until the event loop comes round: what the work does at once counts as time used. */
	async function takeTurn(workspaceId: string, begin: () => void, signal?: AbortSignal): Promise<number> {
		let startedMs = 0;
		const work = (): Promise<void> => {
			startedMs = performance.now();
			begin();
			return new Promise((end) => setImmediate(end));
		};
		await queue.run(workspaceId, work, { signal });
		const endedMs = performance.now();
		recent.note(workspaceId, endedMs);
		return endedMs - startedMs;
	}

	return {
		wait: (workspaceId, signal) =>
			new Promise((resolve, reject) => {
				const lane = async (): Promise<void> => {
					const ms = await takeTurn(workspaceId, resolve, signal);
					if (ms > SHORT_MS && recent.hasOthers(workspaceId)) await wait(ms);
				};
				lanes.run(workspaceId, lane, { signal }).catch(reject);
			}),
	};
}

/** The last turns of the two workspaces that had one last. */
function createRecentTurns() {
	let latest = { workspaceId: "", endedMs: Number.NEGATIVE_INFINITY };
	let other = latest;
	return {
		note(workspaceId: string, endedMs: number): void {
			if (latest.workspaceId !== workspaceId) other = latest;
			latest = { workspaceId, endedMs };
		},
		/** Whether another workspace had a turn a short while ago. */
		hasOthers(workspaceId: string): boolean {
			const { endedMs } = latest.workspaceId === workspaceId ? other : latest;
			return performance.now() - endedMs < RECENT_MS;
		},
	};
}
