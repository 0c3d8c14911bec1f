import { isStemmaError } from "@stemma/core/errors";

/**
 * Whose fault it is that texts got no vectors. `text`: that of the texts, or it would fail again for another reason.
 * `passing`: the vendor's, the network's, or that of texts which the vendor cannot bear. `operator`: nothing gets
 * vectors before somebody has mended the configuration.
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

/** What is no error of ours came from below, such as a network or a disk. */
export function toFailureKind(error: unknown): FailureKind {
	if (!isStemmaError(error) || TRANSIENT_CODES.has(error.code)) return "transient";
	if (OPERATOR_CODES.has(error.code)) return "operator";
	return readRetryAfterMs(error) === undefined ? "text" : "transient";
}

/** By a vendor (milliseconds), or by the service itself (seconds). */
export function readRetryAfterMs(error: unknown): number | undefined {
	const { retryAfterMs, retryAfterSeconds } = Object(error) as {
		readonly retryAfterMs?: unknown;
		readonly retryAfterSeconds?: unknown;
	};
	if (typeof retryAfterMs === "number") return retryAfterMs;
	return typeof retryAfterSeconds === "number" ? retryAfterSeconds * 1_000 : undefined;
}
