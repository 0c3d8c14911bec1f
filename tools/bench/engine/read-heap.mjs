/**
 * The heap in bytes, needs `--expose-gc`. Smallest of several: what is still under way when a collection begins is not kept
 * for good.
 */
export async function readHeap() {
	let least = Number.POSITIVE_INFINITY;
	for (let round = 0; round < 5; round++) {
		await new Promise((resolve) => setTimeout(resolve, 50));
		globalThis.gc();
		least = Math.min(least, process.memoryUsage().heapUsed);
	}
	return least;
}
