import { backoffDelayMs, MAX_RETRY_AFTER_MS } from "@stemma/core/internal";

/** HTTP statuses that are worth a retry. 408 and 504 are not: the vendor may still be working, and billing. */
const RETRYABLE_STATUSES: ReadonlySet<number> = new Set([429, 500, 502, 503]);
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 8_000;

export const isRetryableStatus = (status: number): boolean => RETRYABLE_STATUSES.has(status);

/**
 * Returns the delay before the next attempt, in milliseconds: the one that the vendor asks for, else "full jitter",
 * anything from nothing to a bound that doubles each time. Undefined where the vendor asks for too long a delay.
 *
 * @param failures - how many attempts have failed, from 1.
 * @param random - from 0 to 1.
 */
export function toRetryDelay(
	failures: number,
	retryAfterMs: number | undefined,
	random: number,
): number | undefined {
	if (retryAfterMs !== undefined) return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : retryAfterMs;
	return random * backoffDelayMs(failures, BASE_DELAY_MS, MAX_DELAY_MS);
}

/**
 * The wait that `retry-after-ms` or `retry-after` asks for, in milliseconds (RFC 9110, section 10.2.3: seconds or a date).
 *
 * @param now - epoch milliseconds.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
	const milliseconds = headers.get("retry-after-ms") ?? "";
	const retryAfter = headers.get("retry-after") ?? "";
	if (NUMBER.test(milliseconds)) return Number(milliseconds);
	if (NUMBER.test(retryAfter)) return Number(retryAfter) * 1000;
	// Dates of HTTP begin with a day's name; `Date.parse` takes much more.
	const date = /^[a-z]/i.test(retryAfter) ? Date.parse(retryAfter) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const NUMBER = /^\d+(\.\d+)?$/;
