import { isStemmaError, type StemmaError } from "@stemma/core/errors";
import { toErrorTrace } from "./error-trace";
import { asObject } from "./lenient-json";
import { type Endpoint, toProviderError } from "./to-provider-error";

/**
 * Pattern for the names and codes of timeouts from undici and `AbortSignal.timeout`, except for timeouts while
 * connecting.
 */
const TIMED_OUT = /^TimeoutError |_(HEADERS|BODY)_TIMEOUT$/;

/**
 * Converts the error that `fetch` throws when a connection fails. Where `fetch` itself gave up waiting, the result is a
 * timeout. Errors of a custom `fetch` may hold the request, and with it the key: only name and code are kept. A Stemma
 * error that such a `fetch` throws on purpose (an address that is not allowed, say) is returned as it is, also when it
 * was wrapped.
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
