import type { Json } from "@stemma/core";
import { StemmaError, type StemmaErrorOptions } from "@stemma/core/errors";
import type { A2aErrorReason } from "./wire";

/** Fields of an {@link A2aError} besides those of every error. */
export interface A2aErrorFields {
	readonly reason?: A2aErrorReason | undefined;
	readonly rpcCode?: number | undefined;
	readonly httpStatus?: number | undefined;
	readonly data?: Json | undefined;
	readonly requestId?: string | undefined;
}

/**
 * Refusal or failure that an A2A agent reports, or an unusable response or card of that agent. `code` is `reason` in
 * lower case (`task_not_found`, `invalid_agent_response`, …), or one of these: `binding_not_supported`,
 * `address_refused` and `origin_not_allowed` for a card without a usable address; `response_too_large`; `task_failed`,
 * `task_rejected` and `task_canceled` where the text of such a task is asked for; `agent_error` for an error without a
 * name.
 */
export class A2aError extends StemmaError {
	static override get stemmaName(): string {
		return "A2aError";
	}
	declare static readonly is: (error: unknown) => error is A2aError;

	/** Reason, as A2A 1.0 names it (section 5.4). */
	declare readonly reason?: A2aErrorReason;
	/** The number in JSON-RPC. */
	declare readonly rpcCode?: number;
	declare readonly httpStatus?: number;
	/** `error.data` of JSON-RPC, `error.details` of HTTP+JSON; left out where it is long. */
	declare readonly data?: Json;
	/** `x-request-id` of the answer; empty when it had none. */
	declare readonly requestId: string;

	constructor(message: string, { code, hint, cause, ...fields }: StemmaErrorOptions & A2aErrorFields) {
		super(message, { code, hint, cause }, { requestId: "", ...fields });
	}
}

/** An answer or a card that is not what the protocol says. */
export const createInvalidResponseError = (problem: string, requestId = ""): A2aError =>
	new A2aError(`The agent's answer ${problem}.`, {
		code: "invalid_agent_response",
		reason: "INVALID_AGENT_RESPONSE",
		hint: "Look at `url`: does an agent that speaks A2A 1.0 answer there?",
		requestId,
	});
