import { ConnectionError, StreamError, TimeoutError } from "@stemma/client";
import { isStemmaError, StemmaError } from "@stemma/core/errors";

/** Codes of streams that broke; others are what the service said itself. */
const LOST_STREAM_CODES = new Set(["stream_lost", "stream_cut_off"]);

/**
 * Converts an error of a client that could not reach the service or lost it to one that the operator of the runtime can
 * act on: code `upstream_unavailable`. Other errors stay unchanged.
 */
export function toUnavailableError(error: unknown): unknown {
	if (!isServiceOutage(error)) return error;
	const { code, hint: _, message, ...details } = error;
	const failure = new StemmaError(message, {
		code: "upstream_unavailable",
		hint: "Check that the service runs and that STEMMA_BASE_URL is its address; then run it again.",
		cause: error,
	});
	// What was spent until then is told beside the message.
	const { name: __, cause: ___, stack: ____, ...usage } = details as { readonly [field: string]: unknown };
	return Object.assign(failure, usage);
}

/** The service could not be reached, or was lost half-way. */
export const isServiceOutage = (error: unknown): error is StemmaError =>
	(ConnectionError.is(error) && error.code === "connection_failed") ||
	TimeoutError.is(error) ||
	(isStemmaError(error) && StreamError.is(error) && LOST_STREAM_CODES.has(error.code));
