/** Counts searches that are under way, so that work which can wait a moment lets them go first. */
export interface SearchPriority {
	/** Runs a search and counts it while it runs. */
	track<Result>(search: () => Promise<Result>): Promise<Result>;
	/** Resolves when no search is under way, and after a moment in any case: work that waits must not starve. */
	whenNoSearches(): Promise<void>;
	/**
	 * Resolves when no search was under way for a moment, and after a longer one in any case: for upkeep, whose steps take
	 * longer than a search, and which would begin between two searches of someone who sends one after another.
	 */
	whenNoRecentSearches(): Promise<void>;
	/** Searches that run or wait for their turn. */
	readonly size: number;
}

const MAX_WAIT_FOR_SEARCHES_MS = 25;
const QUIET_MS = 50;
const MAX_WAIT_FOR_QUIET_MS = 2_000;

export function createSearchPriority(): SearchPriority {
	let size = 0;
	let lastEndedAt = Number.NEGATIVE_INFINITY;
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
				lastEndedAt = performance.now();
				if (size === 0) release();
			}
		},
		async whenNoSearches() {
			if (size === 0) return;
			const timer = setTimeout(release, MAX_WAIT_FOR_SEARCHES_MS);
			await new Promise<void>((resolve) => waiters.push(resolve));
			clearTimeout(timer);
		},
		async whenNoRecentSearches() {
			const startedAt = performance.now();
			const isQuiet = (now: number): boolean => size === 0 && now - lastEndedAt >= QUIET_MS;
			for (let now = startedAt; !isQuiet(now); now = performance.now()) {
				if (now - startedAt >= MAX_WAIT_FOR_QUIET_MS) return;
				await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
			}
		},
	};
}
