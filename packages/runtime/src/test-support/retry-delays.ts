import { onTestFinished, vi } from "vitest";
import { RETRY_DELAYS_MS } from "../agents/retrying-ports";

/**
 * Delays that a test's calls of an absent service have waited, or still wait, between their tries, in milliseconds.
 *
 * @param shortened - whether each of them ends at once, and so do those of the client's own retries.
 */
export function watchRetryDelays({ shortened }: { readonly shortened: boolean }): readonly number[] {
	const delays: number[] = [];
	const startTimer = globalThis.setTimeout;
	const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((
		callback: () => void,
		delayMs?: number,
	) => {
		// Other timers last as long as one of them; none of those comes in its place.
		const isRetry =
			delayMs !== undefined && delayMs === RETRY_DELAYS_MS[delays.length % RETRY_DELAYS_MS.length];
		if (isRetry) delays.push(delayMs);
		return startTimer(callback, isRetry && shortened ? 0 : delayMs);
	}) as typeof setTimeout);
	onTestFinished(() => spy.mockRestore());
	if (shortened) {
		// The client's delays are random, from zero.
		const random = vi.spyOn(Math, "random").mockReturnValue(0);
		onTestFinished(() => random.mockRestore());
	}
	return delays;
}
