import { median } from "../service/quantile.mjs";
import { prepareLangGraph, prepareMastra, prepareStemma } from "./approvals.mjs";

const SUBJECTS = { Stemma: prepareStemma, Mastra: prepareMastra, LangGraph: prepareLangGraph };

/**
 * What it takes to pause for an approval and to go on, all in turn, round after round.
 *
 * @returns rows with the medians of `pauseUs`, `saveUs` and `resumeUs`, and the `characters` that were saved.
 */
export async function measureApprovals(lengths, { rounds, runs }) {
	const cases = lengths.flatMap((turns) =>
		Object.entries(SUBJECTS).map(([subject, prepare]) => ({
			subject,
			turns,
			run: prepare(turns),
			samples: [],
		})),
	);
	for (let round = -1; round < rounds; round++)
		for (const { run, samples } of cases) {
			globalThis.gc?.({ type: "minor" });
			for (let index = 0; index < runs; index++) {
				const sample = await timeRun(run);
				if (round >= 0) samples.push(sample);
			}
		}
	return cases.map(({ subject, turns, samples }) => ({ subject, turns, ...summarize(samples) }));
}

async function timeRun(run) {
	const times = [performance.now()];
	const characters = await run(() => times.push(performance.now()));
	const [pauseUs, saveUs, resumeUs] = times.slice(1).map((time, index) => (time - times[index]) * 1000);
	return { pauseUs, saveUs, resumeUs, characters };
}

const summarize = (samples) =>
	Object.fromEntries(
		Object.keys(samples[0]).map((field) => [field, median(samples.map((sample) => sample[field]))]),
	);
