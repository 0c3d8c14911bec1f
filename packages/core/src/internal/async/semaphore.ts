/** Limit on how many pieces of work run at once; the others wait in the order in which they came. */
export interface Semaphore {
	/** Resolves when it is the caller's turn, who calls `release` afterwards. */
	acquire(): Promise<void>;
	release(): void;
	/** Runs work when it is its turn. */
	run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** @param count - 1 for a mutex: one after the other. */
export function createSemaphore(count: number): Semaphore {
	const waiters: (() => void)[] = [];
	let free = count;

	function acquire(): Promise<void> {
		if (free === 0) return new Promise((resolve) => waiters.push(resolve));
		free -= 1;
		return Promise.resolve();
	}

	function release(): void {
		const next = waiters.shift();
		if (next === undefined) free += 1;
		else next();
	}

	return {
		acquire,
		release,
		async run(work) {
			await acquire();
			try {
				return await work();
			} finally {
				release();
			}
		},
	};
}
