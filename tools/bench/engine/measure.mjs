const MIN_WARM_UP_MS = 400;
const MAX_WARM_UP_MS = 3000;
/** Batches one after another that were no faster than the ones before: V8 has nothing left to optimize. */
const STEADY_BATCHES = 4;
const BATCH_MS = 100;
const SAMPLE_MS = 8;
const TOO_SLOW_MS = 4000;
const MIN_ROUNDS = 5;

/**
 * Measures all cases in turn, round after round, so that what disturbs the machine disturbs them alike.
 *
 * @param cases - each with `steps`, and `run` for one run.
 * @returns for each case the microseconds a step, or `undefined` where one run took too long.
 */
export async function measure(cases, { rounds, budgetMs }) {
	const repetitions = [];
	for (const subject of cases) repetitions.push(await warmUp(subject));
	const samples = cases.map(() => []);
	const end = performance.now() + budgetMs;
	for (let round = 0; round < rounds; round++) {
		if (round >= MIN_ROUNDS && performance.now() > end) break;
		for (const [index, subject] of cases.entries())
			if (repetitions[index] > 0) samples[index].push(await sample(subject, repetitions[index]));
	}
	return samples.map((numbers) => (numbers.length === 0 ? undefined : summarize(numbers)));
}

/**
 * Runs a case until it gets no faster, as it runs in a process that has been up for some seconds.
 *
 * @returns how many runs make a sample that is long enough to be timed; none for a case that is too slow.
 */
async function warmUp({ run }) {
	const start = performance.now();
	await run();
	if (performance.now() - start > TOO_SLOW_MS) return 0;
	let fastest = Number.POSITIVE_INFINITY;
	let steady = 0;
	while (!isWarm(performance.now() - start, steady)) {
		const mean = await runBatch(run);
		steady = mean < 0.97 * fastest ? 0 : steady + 1;
		fastest = Math.min(fastest, mean);
	}
	return Math.max(1, Math.ceil(SAMPLE_MS / fastest));
}

const isWarm = (elapsedMs, steady) =>
	elapsedMs >= MAX_WARM_UP_MS || (elapsedMs >= MIN_WARM_UP_MS && steady >= STEADY_BATCHES);

/** @returns the mean of the milliseconds that a run took. */
async function runBatch(run) {
	const start = performance.now();
	let runs = 0;
	do {
		await run();
		runs += 1;
	} while (performance.now() - start < BATCH_MS);
	return (performance.now() - start) / runs;
}

async function sample({ run, steps }, repetitions) {
	// Not a full collection: V8 then drops optimized code too, and whoever comes next pays for compiling it again.
	globalThis.gc?.({ type: "minor" });
	const start = performance.now();
	for (let repetition = 0; repetition < repetitions; repetition++) await run();
	return ((performance.now() - start) * 1000) / (repetitions * steps);
}

function summarize(numbers) {
	const sorted = numbers.toSorted((a, b) => a - b);
	const middle = sorted.length >> 1;
	const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	return { median, min: sorted[0], max: sorted.at(-1), samples: sorted.length };
}
