/** Workers that take work until there is none. */
export interface WorkerPool {
	/**
	 * Resolves when there is no work left, and rejects when all workers have ended and one of them failed: called again, it
	 * begins anew.
	 */
	drain(): Promise<void>;
	/** Says that there may be more work: a worker that has ended since {@link drain} was called starts again. */
	wake(): void;
}

/** @param work - takes work until there is none. */
export function createWorkerPool(work: () => Promise<void>, concurrency: number): WorkerPool {
	const running = new Set<Promise<void>>();
	const failures: unknown[] = [];

	function startWorkers(): void {
		while (running.size < concurrency && failures.length === 0) {
			const worker: Promise<void> = work()
				.catch((error: unknown) => void failures.push(error))
				.finally(() => running.delete(worker));
			running.add(worker);
		}
	}

	return {
		async drain() {
			startWorkers();
			while (running.size > 0) await Promise.all(running);
			if (failures.length > 0) throw failures.splice(0)[0];
		},
		wake() {
			if (running.size > 0) startWorkers();
		},
	};
}
