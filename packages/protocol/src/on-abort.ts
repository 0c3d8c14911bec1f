/** Calls back once the signal is aborted, at once where it is. Returns what stops that. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
	signal.addEventListener("abort", listener);
	if (signal.aborted) listener();
	return () => signal.removeEventListener("abort", listener);
}
