import { isStemmaError, type StemmaError } from "@stemma/core/errors";
import { toErrorTrace } from "./error-trace";
import { asObject } from "./lenient-json";
import { type Endpoint, toProviderError } from "./to-provider-error";

/** How undici and `AbortSignal.timeout` say so; not where it is the connection that was waited for. */
const TIMED_OUT = /^TimeoutError |_(HEADERS|BODY)_TIMEOUT$/;

/**
 * What `fetch` throws when a connection fails. Where it gave up waiting by itself, that is a timeout. Errors of a `fetch`
 * of one's own may hold the request, and with it the key: name and code are kept alone. What such a `fetch` throws on
 * purpose, as a Stemma error (an address that is not allowed, say), stands, also wrapped.
 */
export function toNetworkError(
	error: unknown,
	code: "unreachable" | "stream_truncated",
	endpoint: Endpoint,
): StemmaError {
	const errors = [error, asObject(error).cause];
	const stemmaError = errors.find(isStemmaError);
	if (stemmaError !== undefined) return stemmaError;
	const cause = toErrorTrace(errors.map(asObject));
	if (TIMED_OUT.test(`${cause?.name} ${cause?.code}`))
		return toProviderError({ code: "timeout" }, endpoint, { cause });
	const what = code === "unreachable" && cause?.code && `cannot be reached (${cause.code})`;
	return toProviderError({ code, ...(what && { what }) }, endpoint, { cause });
}
