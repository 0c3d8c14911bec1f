/** Counts searches that are under way, so that work which can wait a moment lets them go first. */
export interface SearchPriority {
	/** Runs a search and counts it while it runs. */
	track<Result>(search: () => Promise<Result>): Promise<Result>;
	/** Resolves when no search is under way, and after a moment in any case: work that waits must not starve. */
	whenNoSearches(): Promise<void>;
	/** Searches that run or wait for their turn. */
	readonly size: number;
}

const MAX_WAIT_FOR_SEARCHES_MS = 25;

export function createSearchPriority(): SearchPriority {
	let size = 0;
	let waiters: (() => void)[] = [];

	function release(): void {
		const resolvers = waiters;
		waiters = [];
		for (const resolve of resolvers) resolve();
	}

	return {
		get size() {
			return size;
		},
		async track(search) {
			size += 1;
			try {
				return await search();
			} finally {
				size -= 1;
				if (size === 0) release();
			}
		},
		async whenNoSearches() {
			if (size === 0) return;
			const timer = setTimeout(release, MAX_WAIT_FOR_SEARCHES_MS);
			await new Promise<void>((resolve) => waiters.push(resolve));
			clearTimeout(timer);
		},
	};
}
