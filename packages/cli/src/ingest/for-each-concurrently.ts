/**
 * Runs the same work for all items, a few at once. After an error no more work is started, and it rejects with the
 * first error.
 */
export async function forEachConcurrently<Item>(
	items: readonly Item[],
	concurrency: number,
	work: (item: Item) => Promise<void>,
): Promise<void> {
	const queue = items.values();
	let hasFailed = false;
	async function drain(): Promise<void> {
		for (const item of queue) {
			if (hasFailed) return;
			try {
				await work(item);
			} catch (error) {
				hasFailed = true;
				throw error;
			}
		}
	}
	await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, drain));
}
