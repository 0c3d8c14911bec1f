/** Time that a vendor's body may take to end after the whole answer, in milliseconds. */
const VENDOR_DRAIN_TIMEOUT_MS = 1_000;

/**
 * Reads on to the end for a moment although nothing more is expected, so that the connection can be used again. Never
 * rejects: the answer is complete, whatever ends the stream.
 */
export async function drainReader(
	reader: { read(): Promise<{ readonly done: boolean }> },
	cancel: () => void,
): Promise<void> {
	const timer = setTimeout(cancel, VENDOR_DRAIN_TIMEOUT_MS);
	try {
		while (!(await reader.read()).done);
	} catch {
		// Nothing is missing.
	}
	clearTimeout(timer);
}
