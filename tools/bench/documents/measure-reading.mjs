import { readFamilyCpuMs } from "../service/process-family.mjs";

const MEASURE_MS = 3_000;

/**
 * Reads files again and again, for a while. Besides the clock, the processor time of this process and of those that it has
 * started is measured: it says the same on a busy machine, and counts what runs beside the reader, such as the collector of
 * garbage.
 *
 * @returns files read in a second, and in a second of processor time, and how many could not be read.
 */
export async function measureRate(files, read, measureMs = MEASURE_MS) {
	const failed = [];
	const good = [];
	// The first round loads what is loaded once, and finds what cannot be read.
	for (const file of files) {
		const text = await read(file).catch(() => undefined);
		if (text === undefined) failed.push(file.name);
		else good.push(file);
	}
	if (good.length === 0) return { perSecond: 0, perCpuSecond: 0, good, failed };
	const cpuBefore = readFamilyCpuMs(process.pid);
	const startedAt = performance.now();
	let rounds = 0;
	do {
		for (const file of good) await read(file);
		rounds += 1;
	} while (performance.now() - startedAt < measureMs);
	const seconds = (performance.now() - startedAt) / 1_000;
	const cpuSeconds = (readFamilyCpuMs(process.pid) - cpuBefore) / 1_000;
	const filesRead = rounds * good.length;
	return {
		perSecond: filesRead / seconds,
		perCpuSecond: filesRead / cpuSeconds,
		roundsPerCpuSecond: rounds / cpuSeconds,
		good,
		failed,
	};
}
