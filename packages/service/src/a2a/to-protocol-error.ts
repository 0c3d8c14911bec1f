import { A2aServerError } from "@stemma/a2a-server";
import type { A2aErrorReason } from "@stemma/client/a2a";
import type { ApiError } from "../http/api-error";

/** What the service refuses, as the protocol says it. */
export function toProtocolError(error: ApiError): A2aServerError {
	const { code, message, hint, status, retryAfterSeconds } = error;
	return new A2aServerError(toReason(status), message, {
		code,
		hint,
		cause: error,
		status,
		...(retryAfterSeconds !== undefined && {
			headers: { "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))) },
		}),
	});
}

/** The protocol has no words for limits; the status and the code tell. */
const toReason = (status: number): A2aErrorReason =>
	status === 429 || status >= 500 ? "INTERNAL_ERROR" : "INVALID_PARAMS";
