import { A2aServerError } from "@stemma/a2a-server";
import type { A2aErrorReason } from "@stemma/client/a2a";
import type { DomainError } from "../errors/domain-error";
import { toStatus } from "../http/statuses";

/** Converts an error of the service to one of the protocol. */
export function toProtocolError(error: DomainError): A2aServerError {
	const { code, message, hint, retryAfterSeconds } = error;
	const status = toStatus(error);
	return new A2aServerError(toReason(status), shorten(message), {
		code,
		hint,
		cause: error,
		status,
		...(retryAfterSeconds !== undefined && {
			headers: { "retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))) },
		}),
	});
}

const MAX_ERROR_CHARACTERS = 200;

/** The path of what is deep in data is long. Both ends count: where it is, and what is wrong with it. */
const shorten = (text: string): string =>
	text.length <= MAX_ERROR_CHARACTERS ? text : `${text.slice(0, 99)}…${text.slice(-100)}`;

/** The protocol has no words for limits; the status and the code tell. */
const toReason = (status: number): A2aErrorReason =>
	status === 429 || status >= 500 ? "INTERNAL_ERROR" : "INVALID_PARAMS";
