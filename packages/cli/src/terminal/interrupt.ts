import type { Terminal } from "./terminal";

/** Exit code that shells expect of a program that was stopped with Ctrl-C. */
export const EXIT_INTERRUPTED = 130;

/**
 * Runs work that Ctrl-C stops in order: it aborts the signal, and a second one ends the process at once. Returns the
 * exit code.
 *
 * @param notice - what to say when it was stopped.
 */
export async function runUntilInterrupted(
	{ stderr }: Pick<Terminal, "stderr">,
	notice: string,
	work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
	const interrupt = new AbortController();
	const stop = (): void => interrupt.abort();
	process.once("SIGINT", stop);
	try {
		return await work(interrupt.signal);
	} catch (error) {
		if (!interrupt.signal.aborted) throw error;
		stderr.write(`${notice}\n`);
		return EXIT_INTERRUPTED;
	} finally {
		process.removeListener("SIGINT", stop);
	}
}
