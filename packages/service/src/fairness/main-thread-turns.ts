import { createFairQueue } from "./fair-queue";

/**
 * Turns on the main thread, where all requests are read, checked and answered. Each turn of the event loop starts the work
 * of one workspace, so that another's request never waits for a whole burst.
 */
export interface MainThreadTurns {
	/**
	 * Resolves when work of the workspace may start.
	 *
	 * @throws the reason of `signal` where it is aborted before.
	 */
	wait(workspaceId: string, signal?: AbortSignal): Promise<void>;
}

export function createMainThreadTurns(): MainThreadTurns {
	const queue = createFairQueue({
		concurrency: 1,
		// Requests in flight are limited where they come in.
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "requests",
	});
	return {
		wait: (workspaceId, signal) =>
			new Promise((resolve, reject) => {
				// The turn lasts until the event loop comes round: what the work does at once counts as time used.
				const work = (): Promise<void> => {
					resolve();
					return new Promise((end) => setImmediate(end));
				};
				queue.run(workspaceId, work, { signal }).catch(reject);
			}),
	};
}
