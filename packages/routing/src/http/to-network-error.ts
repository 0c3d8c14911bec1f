import { isStemmaError, type StemmaError } from "@stemma/core/errors";
import { toErrorTrace } from "./error-trace";
import { asObject } from "./fields";
import { type Endpoint, toProviderError } from "./to-provider-error";

/** How undici and `AbortSignal.timeout` say so; not where it is the connection that was waited for. */
const GAVE_UP = /^TimeoutError |_(HEADERS|BODY)_TIMEOUT$/;

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
	const ours = errors.find(isStemmaError);
	if (ours !== undefined) return ours;
	const cause = toErrorTrace(errors.map(asObject));
	if (GAVE_UP.test(`${cause?.name} ${cause?.code}`))
		return toProviderError({ code: "timeout" }, endpoint, { cause });
	const what = code === "unreachable" && cause?.code && `cannot be reached (${cause.code})`;
	return toProviderError({ code, ...(what && { what }) }, endpoint, { cause });
}
