import { backoffDelayMs } from "@stemma/core/internal";
import { readRetryAfterMs, toFailureKind } from "./embedding-failure";

interface Backoff {
	readonly firstMs: number;
	readonly maxMs: number;
	readonly factor: number;
}

/** A vendor may ask for more than our own pauses, but not to wait for days. */
const MAX_EMBEDDING_PAUSE_MS = 10 * 60_000;
const TRANSIENT_BACKOFF: Backoff = { firstMs: 1_000, maxMs: 60_000, factor: 2 };
const OPERATOR_BACKOFF: Backoff = { firstMs: 60_000, maxMs: 10 * 60_000, factor: 2 };
const DOCUMENT_BACKOFF: Backoff = { firstMs: 1_000, maxMs: 30 * 60_000, factor: 4 };

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
		withJitter(toFailureKind(error) === "operator" ? OPERATOR_BACKOFF : TRANSIENT_BACKOFF, failures + 1),
	);

/**
 * Computes the pause before a document that the vendor failed on is tried again, in milliseconds.
 *
 * @param attempts - that it had, this one too.
 */
export const documentBackoffMs = (error: unknown, attempts: number): number =>
	Math.max(retryAfterMs(error), withJitter(DOCUMENT_BACKOFF, attempts));

/** Some ask for no pause at all, and for that again and again. */
const retryAfterMs = (error: unknown): number =>
	Math.min(readRetryAfterMs(error) ?? 0, MAX_EMBEDDING_PAUSE_MS);

/** Computes a pause with jitter, so that not all workspaces call at the same moment. */
const withJitter = ({ firstMs, maxMs, factor }: Backoff, failures: number): number =>
	backoffDelayMs(failures, firstMs, maxMs, factor) * (0.75 + Math.random() / 4);
