import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";

/** Longest time that is waited for what a test holds, on a machine that may be busy. */
const MAX_WAIT_MS = 30_000;

/** Number of timers that keep the process alive. */
export const countTimers = (): number =>
	process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

/**
 * Waits until a test holds no open answer and no timer of its own. `expect.poll` has a timer of its own while it polls, which
 * would count.
 *
 * @param timersBefore - number of timers before the test.
 */
export async function waitUntilReleased(
	server: { readonly openResponses: number },
	timersBefore: number,
): Promise<void> {
	expect(await waitUntilBelow(() => server.openResponses, 0)).toBe(0);
	expect(await waitUntilBelow(countTimers, timersBefore)).toBeLessThanOrEqual(timersBefore);
}

/** A figure as it is once it is small enough, or after half a minute. */
async function waitUntilBelow(measurement: () => number, max: number): Promise<number> {
	const end = Date.now() + MAX_WAIT_MS;
	while (measurement() > max && Date.now() < end) await wait(2);
	return measurement();
}
