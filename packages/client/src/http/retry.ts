import { backoffDelayMs, MAX_RETRY_AFTER_MS } from "@stemma/core/internal";
import type { ServiceRequest } from "../client";
import { ApiError } from "../errors/api-errors";
import { isConnectionLost } from "../errors/connection-error";

/** Statuses of what may be over in a moment. */
export const RETRYABLE_STATUSES: readonly number[] = [408, 429, 502, 503, 504];
/** Refused at the door: nothing was started. */
const SAFE_STATUSES = [429, 503];
const MAX_DELAY_MS = 8000;

/** Checks whether another try may help and does no harm. */
export function isRetryable(error: unknown, retry: ServiceRequest["retry"] = "failed"): boolean {
	if (retry === "never") return false;
	if (!ApiError.is(error)) return retry === "failed" && isConnectionLost(error);
	if (exceedsMaxRetryAfter(error)) return false;
	return (retry === "failed" ? RETRYABLE_STATUSES : SAFE_STATUSES).includes(error.status);
}

/** The service asks for a pause that nobody waits for unasked. */
export const exceedsMaxRetryAfter = ({ retryAfterMs = 0 }: ApiError): boolean =>
	retryAfterMs > MAX_RETRY_AFTER_MS;

/**
 * Returns the delay before a retry, in milliseconds: a random time up to a limit that doubles with each retry ("full
 * jitter"), and no less than the service asked for.
 *
 * @param retry - from 1.
 */
export function retryDelay(retry: number, baseMs: number, error: unknown): number {
	const requestedMs = ApiError.is(error) ? (error.retryAfterMs ?? 0) : 0;
	return requestedMs + Math.random() * backoffDelayMs(retry, baseMs, MAX_DELAY_MS);
}
