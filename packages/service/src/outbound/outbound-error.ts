import { isErrorOf, StemmaError } from "@stemma/core/errors";

/** Reason why a response from outside is rejected. */
export type OutboundErrorCode =
	| "redirect_refused"
	| "response_too_large"
	| "outbound_timeout"
	| "bad_response";

/** Response that the service rejects. The message says no more of the response than its kind. */
export class OutboundError extends StemmaError {
	static override get stemmaName(): string {
		return "OutboundError";
	}
	declare readonly code: OutboundErrorCode;

	constructor(code: OutboundErrorCode, message: string, hint: string) {
		super(message, { code, hint });
	}

	static override is(error: unknown): error is OutboundError {
		return isErrorOf(error, OutboundError);
	}
}
