import { EXIT_INTERRUPTED } from "./interrupt";

/** Aborted by the first Ctrl-C or SIGTERM, for what stops in order; the second ends the process at once. */
export function createStopSignal(): AbortSignal {
	const controller = new AbortController();
	const stop = (): void => {
		if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED);
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
