/** Page that is to be looked at. */
export interface PageTask {
	readonly url: URL;
	/** Number of links from the start. */
	readonly depth: number;
	/** Date that the sitemap gives; `null` where it gives none. */
	readonly sitemapDate: string | null;
	/** Addresses that led here by redirects. */
	readonly redirects: readonly string[];
	/** The page is no copy, whatever it says: its original has no content. */
	readonly isOriginal?: boolean;
}

/** Pages that are to be looked at, in the order in which they were found, each once. */
export interface Frontier {
	/** Adds a page that was not added before. */
	add(task: PageTask): void;
	/** State of a page: yet to come, handed out, or none of them. */
	find(address: string): "pending" | "done" | undefined;
	/** No more pages are taken. */
	isFull(): boolean;
	next(): PageTask | undefined;
	/** First page that is left out, since there are too many. */
	readonly firstOmitted: string | undefined;
}

/** @param maxPages - number of pages that are handed out. */
export function createFrontier(maxPages: number): Frontier {
	const tasks: PageTask[] = [];
	const seen = new Set<string>();
	const pending = new Set<string>();
	let handedOut = 0;
	let firstOmitted: string | undefined;
	return {
		add(task) {
			const { href } = task.url;
			if (seen.has(href)) return;
			if (seen.size >= maxPages) {
				firstOmitted ??= href;
				return;
			}
			seen.add(href);
			pending.add(href);
			tasks.push(task);
		},
		find: (address) => (pending.has(address) ? "pending" : seen.has(address) ? "done" : undefined),
		isFull: () => seen.size >= maxPages,
		next() {
			const task = tasks[handedOut];
			if (task === undefined) return undefined;
			handedOut += 1;
			pending.delete(task.url.href);
			return task;
		},
		get firstOmitted() {
			return firstOmitted;
		},
	};
}
