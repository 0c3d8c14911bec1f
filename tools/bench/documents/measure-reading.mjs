const MEASURE_MS = 3_000;

/** Reads files again and again, for a while. @returns files read in a second, and how many could not be read. */
export async function measureRate(files, read, measureMs = MEASURE_MS) {
	const failed = [];
	const good = [];
	// The first round loads what is loaded once, and finds what cannot be read.
	for (const file of files) {
		const text = await read(file).catch(() => undefined);
		if (text === undefined) failed.push(file.name);
		else good.push(file);
	}
	if (good.length === 0) return { perSecond: 0, good, failed };
	const startedAt = performance.now();
	let rounds = 0;
	do {
		for (const file of good) await read(file);
		rounds += 1;
	} while (performance.now() - startedAt < measureMs);
	const seconds = (performance.now() - startedAt) / 1_000;
	return { perSecond: (rounds * good.length) / seconds, roundsPerSecond: rounds / seconds, good, failed };
}
