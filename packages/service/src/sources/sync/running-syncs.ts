/** Syncs of one workspace that run in this process. */
export interface RunningSyncs {
	/** Starts the work of a sync, unless it runs already or the workspace is being closed. */
	start(sync: string, work: (signal: AbortSignal) => Promise<void>): void;
	/** Aborts a sync that runs. */
	cancel(sync: string): void;
	/** Aborts all syncs, and resolves once they have stopped. Nothing is started from now on. */
	stop(): Promise<void>;
}

/** Reason why a sync is aborted: whoever aborts it has stored its end, or lets it continue later. */
class SyncAborted extends Error {}

export function createRunningSyncs(): RunningSyncs {
	const running = new Map<string, { readonly controller: AbortController; readonly ended: Promise<void> }>();
	let isStopped = false;
	return {
		start(sync, work) {
			if (isStopped || running.has(sync)) return;
			const controller = new AbortController();
			const ended = work(controller.signal).finally(() => running.delete(sync));
			running.set(sync, { controller, ended });
		},
		cancel: (sync) => running.get(sync)?.controller.abort(new SyncAborted("The sync was cancelled.")),
		async stop() {
			isStopped = true;
			const all = [...running.values()];
			for (const { controller } of all) controller.abort(new SyncAborted("The service stops."));
			await Promise.allSettled(all.map(({ ended }) => ended));
		},
	};
}
