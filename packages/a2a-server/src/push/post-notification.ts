/** Sends it once. @returns the status of the answer; undefined where none came in time. */
export async function postNotification(
	fetch: (url: string, init: RequestInit) => Promise<Response>,
	url: string,
	request: RequestInit,
	timeoutMs: number,
	signal: AbortSignal | undefined,
): Promise<number | undefined> {
	const attempt = new AbortController();
	const abort = (): void => attempt.abort();
	const timer = setTimeout(abort, timeoutMs);
	signal?.addEventListener("abort", abort);
	if (signal?.aborted === true) abort();
	try {
		const response = await fetch(url, { ...request, signal: attempt.signal });
		// What it says is of no use, and may have no end.
		await response.body?.cancel().catch(() => undefined);
		return response.status;
	} catch {
		return undefined;
	} finally {
		clearTimeout(timer);
		signal?.removeEventListener("abort", abort);
	}
}
