/** Resolves after a time, and at once when it is aborted. */
export function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) return resolve();
		const end = () => {
			clearTimeout(timer);
			signal.removeEventListener("abort", end);
			resolve();
		};
		const timer = setTimeout(end, durationMs);
		signal.addEventListener("abort", end, { once: true });
	});
}
