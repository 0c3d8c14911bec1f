/** Longest pause before a retry that is taken from a server, in milliseconds. A longer one is left to the caller. */
export const MAX_RETRY_AFTER_MS = 30_000;

/**
 * Pause before the next attempt, in milliseconds: `factor` times as long after each failure. Where many callers may fail
 * at once, multiply it by a random number, so that they do not come back at once.
 *
 * @param failures - from 1.
 * @param firstMs - pause after the first failure.
 */
export const backoffDelayMs = (failures: number, firstMs: number, maxMs: number, factor = 2): number =>
	Math.min(maxMs, firstMs * factor ** (failures - 1));
