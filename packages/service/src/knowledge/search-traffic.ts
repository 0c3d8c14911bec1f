/** Counts searches that are under way, so that work which can wait a moment lets them go first. */
export interface SearchTraffic {
	/** Does a search, counted. */
	during<Result>(search: () => Promise<Result>): Promise<Result>;
	/** Resolves when no search is under way, and after a moment in any case: work that waits must not starve. */
	whenQuiet(): Promise<void>;
	/** Searches that run or wait for their turn. */
	readonly size: number;
}

const LONGEST_WAIT_MS = 25;

export function createSearchTraffic(): SearchTraffic {
	let size = 0;
	let waiting: (() => void)[] = [];

	function release(): void {
		const released = waiting;
		waiting = [];
		for (const resolve of released) resolve();
	}

	return {
		get size() {
			return size;
		},
		async during(search) {
			size += 1;
			try {
				return await search();
			} finally {
				size -= 1;
				if (size === 0) release();
			}
		},
		async whenQuiet() {
			if (size === 0) return;
			const timer = setTimeout(release, LONGEST_WAIT_MS);
			await new Promise<void>((resolve) => waiting.push(resolve));
			clearTimeout(timer);
		},
	};
}
