import { readRetryAfterMs, toFailureKind } from "./embedding-failure";

interface BackoffRange {
	readonly firstMs: number;
	readonly factor: number;
	readonly maxMs: number;
}

/** A vendor may ask for more than our own pauses, but not to wait for days. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;
const TRANSIENT_BACKOFF: BackoffRange = { firstMs: 1_000, factor: 2, maxMs: 60_000 };
const OPERATOR_BACKOFF: BackoffRange = { firstMs: 60_000, factor: 2, maxMs: 10 * 60_000 };
const DOCUMENT_BACKOFF: BackoffRange = { firstMs: 1_000, factor: 4, maxMs: 30 * 60_000 };

/** A document that the vendor fails on for so long, about an hour, while it answers others, is not tried again. */
export const MAX_DOCUMENT_ATTEMPTS = 8;

/**
 * Computes the pause before the next call, in milliseconds.
 *
 * @param failures - that were before this one.
 */
export const backoffMs = (error: unknown, failures: number): number =>
	Math.max(
		retryAfterMs(error),
		withJitter(toFailureKind(error) === "operator" ? OPERATOR_BACKOFF : TRANSIENT_BACKOFF, failures),
	);

/**
 * Computes the pause before a document that the vendor failed on is tried again, in milliseconds.
 *
 * @param attempts - that it had, this one too.
 */
export const documentBackoffMs = (error: unknown, attempts: number): number =>
	Math.max(retryAfterMs(error), withJitter(DOCUMENT_BACKOFF, attempts - 1));

/** Some ask for no pause at all, and for that again and again. */
const retryAfterMs = (error: unknown): number => Math.min(readRetryAfterMs(error) ?? 0, MAX_RETRY_AFTER_MS);

/** Computes a pause with jitter, so that not all workspaces call at the same moment. */
const withJitter = ({ firstMs, factor, maxMs }: BackoffRange, times: number): number =>
	Math.min(firstMs * factor ** times, maxMs) * (0.75 + Math.random() / 4);
