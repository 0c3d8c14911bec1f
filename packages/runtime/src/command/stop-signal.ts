/** Aborted by the first SIGTERM or SIGINT; the second ends the process at once. */
export function createStopSignal(): AbortSignal {
	const controller = new AbortController();
	const stop = (): void => {
		if (controller.signal.aborted) process.exit(130);
		controller.abort();
	};
	process.on("SIGTERM", stop);
	process.on("SIGINT", stop);
	return controller.signal;
}
