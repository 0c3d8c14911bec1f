import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Runs work and ignores promises that a library leaves alone meanwhile, of which each would end the process. PDF.js does so
 * for damaged files that it reads all the same; what the work waits for reports its failure itself.
 */
export async function ignoreStrayRejections<Result>(work: () => Promise<Result>): Promise<Result> {
	const ignore = (): void => undefined;
	process.on("unhandledRejection", ignore);
	try {
		return await work();
	} finally {
		// Those of the last file are reported at the end of this turn.
		await nextTurn();
		process.off("unhandledRejection", ignore);
	}
}
