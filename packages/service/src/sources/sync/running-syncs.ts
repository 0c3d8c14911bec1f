import { ownClaims, type WorkClaims } from "../../store/claims/work-claims";

/** Syncs of one workspace that run in this process. */
export interface RunningSyncs {
	/** Starts the work of a sync, unless it runs already or the workspace is being closed. */
	start(sync: string, work: (signal: AbortSignal) => Promise<void>): void;
	/** Aborts a sync that runs, here or on another instance. Its end is stored, so that it stops in any case. */
	cancel(sync: string): void;
	/** Aborts all syncs, and resolves once they have stopped. Nothing is started from now on. */
	stop(): Promise<void>;
}

/** Reason why a sync is aborted: whoever aborts it has stored its end, or lets it continue later. */
class SyncAborted extends Error {}

export function createRunningSyncs(
	claims: Pick<WorkClaims, "isShared" | "requestCancel"> = ownClaims,
): RunningSyncs {
	const running = new Map<string, { readonly controller: AbortController; readonly ended: Promise<void> }>();
	let isStopped = false;
	return {
		start(sync, work) {
			if (isStopped || running.has(sync)) return;
			const controller = new AbortController();
			const ended = work(controller.signal).finally(() => running.delete(sync));
			running.set(sync, { controller, ended });
		},
		cancel(sync) {
			const here = running.get(sync);
			if (here !== undefined) here.controller.abort(new SyncAborted("The sync was cancelled."));
			else if (claims.isShared)
				// Where that fails, it stops as soon as it stores something.
				claims.requestCancel({ kind: "sync", id: sync }).catch(() => undefined);
		},
		async stop() {
			isStopped = true;
			const all = [...running.values()];
			for (const { controller } of all) controller.abort(new SyncAborted("The service stops."));
			await Promise.allSettled(all.map(({ ended }) => ended));
		},
	};
}
