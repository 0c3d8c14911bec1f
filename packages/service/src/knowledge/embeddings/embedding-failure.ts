import { isStemmaError } from "@stemma/core/errors";

/**
 * Cause of a failure to create vectors. `text`: the texts, or another reason for which it would fail again.
 * `transient`: the vendor, the network, or texts that the vendor cannot process. `operator`: the configuration, which
 * must be corrected before anything gets vectors.
 */
export type FailureKind = "text" | "transient" | "operator";

const TRANSIENT_CODES = new Set([
	"rate_limited",
	"overloaded",
	"timeout",
	"unreachable",
	"stream_truncated",
	"bad_response",
]);
const OPERATOR_CODES = new Set([
	"invalid_credential",
	"expired_credential",
	"credential_undecryptable",
	"clock_skew",
	"permission",
	"quota",
	"model_not_found",
	"model_not_enabled",
	"needs_inference_profile",
	"wrong_region",
]);

/**
 * Classifies an error. One that is not Stemma's own comes from a lower layer, such as a network or a disk, and is
 * transient.
 */
export function toFailureKind(error: unknown): FailureKind {
	if (!isStemmaError(error) || TRANSIENT_CODES.has(error.code)) return "transient";
	if (OPERATOR_CODES.has(error.code)) return "operator";
	return readRetryAfterMs(error) === undefined ? "text" : "transient";
}

/** Reads the time until a retry, in milliseconds, that a vendor (milliseconds) or the service itself (seconds) set. */
export function readRetryAfterMs(error: unknown): number | undefined {
	const { retryAfterMs, retryAfterSeconds } = Object(error) as {
		readonly retryAfterMs?: unknown;
		readonly retryAfterSeconds?: unknown;
	};
	if (typeof retryAfterMs === "number") return retryAfterMs;
	return typeof retryAfterSeconds === "number" ? retryAfterSeconds * 1_000 : undefined;
}
