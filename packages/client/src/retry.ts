import { ApiError } from "./api-errors";
import type { ServiceRequest } from "./client";
import { isBrokenConnection } from "./connection-error";

/** Statuses of what may be over in a moment. */
export const MAY_PASS: readonly number[] = [408, 429, 502, 503, 504];
/** Refused at the door: nothing was started. */
const NOTHING_STARTED = [429, 503];
const LONGEST_DELAY_MS = 8000;
/** Who asks for a longer pause is not waited for: the caller decides. */
const LONGEST_PAUSE_MS = 30_000;

/** Whether another try may help, and does no harm. */
export function isWorthRetrying(error: unknown, retry: ServiceRequest["retry"] = "failed"): boolean {
	if (retry === "never") return false;
	if (!ApiError.is(error)) return retry === "failed" && isBrokenConnection(error);
	if (wantsLongPause(error)) return false;
	return (retry === "failed" ? MAY_PASS : NOTHING_STARTED).includes(error.status);
}

/** The service asks for a pause that nobody waits for unasked. */
export const wantsLongPause = ({ retryAfterMs = 0 }: ApiError): boolean => retryAfterMs > LONGEST_PAUSE_MS;

/**
 * How long to wait before a retry, in milliseconds: anything up to a limit that doubles with each ("full jitter"), and
 * no less than the service asked for.
 *
 * @param retry - from 1.
 */
export function retryDelay(retry: number, baseMs: number, error: unknown): number {
	const asked = ApiError.is(error) ? (error.retryAfterMs ?? 0) : 0;
	return asked + Math.random() * Math.min(LONGEST_DELAY_MS, baseMs * 2 ** (retry - 1));
}
