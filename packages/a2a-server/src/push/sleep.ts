/** Waits; an aborted signal ends the waiting. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(finish, milliseconds);
		function finish(): void {
			clearTimeout(timer);
			signal?.removeEventListener("abort", finish);
			resolve();
		}
		signal?.addEventListener("abort", finish);
		if (signal?.aborted === true) finish();
	});
}
