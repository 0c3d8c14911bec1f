/**
 * The heap in bytes, needs `--expose-gc`. Smallest of several: what is still under way when a collection begins is not kept
 * for good.
 */
export async function readHeap() {
	let min = Number.POSITIVE_INFINITY;
	for (let round = 0; round < 5; round++) {
		await new Promise((resolve) => setTimeout(resolve, 50));
		globalThis.gc();
		min = Math.min(min, process.memoryUsage().heapUsed);
	}
	return min;
}
