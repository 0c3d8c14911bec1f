import { constants } from "node:os";

/** Aborted by the first SIGTERM or SIGINT; the second ends the process at once, with the exit code of its kind. */
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
