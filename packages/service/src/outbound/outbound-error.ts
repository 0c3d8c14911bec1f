import { isErrorOf, StemmaError } from "@stemma/core/errors";

/** Why an answer from outside is not taken. */
export type OutboundErrorCode =
	| "redirect_refused"
	| "response_too_large"
	| "outbound_timeout"
	| "bad_response";

/** What was called answers in a way that is not taken. The message tells nothing of the answer but its kind. */
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
