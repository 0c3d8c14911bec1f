import { constants } from "node:os";

/**
 * Aborted by the first Ctrl-C or SIGTERM, for what stops in order; the second ends the process at once, with the exit code
 * of its kind.
 */
export function createStopSignal(): AbortSignal {
	const controller = new AbortController();
	const stop = (signal: "SIGTERM" | "SIGINT"): void => {
		// As shells count it.
		if (controller.signal.aborted) process.exit(128 + constants.signals[signal]);
		controller.abort();
	};
	process.on("SIGTERM", stop);
	process.on("SIGINT", stop);
	return controller.signal;
}

/** Resolves once the signal is aborted. */
export const untilStopped = (signal: AbortSignal): Promise<void> =>
	new Promise((resolve) => {
		if (signal.aborted) resolve();
		signal.addEventListener("abort", () => resolve(), { once: true });
	});
