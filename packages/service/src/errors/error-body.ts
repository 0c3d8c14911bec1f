import type { JsonObject } from "@stemma/core";
import type { DomainError } from "./domain-error";

/** The body of every error. */
export interface ErrorBody {
	readonly error: {
		readonly code: string;
		/** OpenAI's error type, on the OpenAI-compatible routes. */
		readonly type?: string;
		readonly message: string;
		readonly param?: string;
		readonly hint?: string;
		readonly request_id: string;
		readonly details?: JsonObject;
	};
}

export const toErrorBody = (error: DomainError, requestId: string): ErrorBody => ({
	error: {
		code: error.code,
		message: error.message,
		...(error.param !== undefined && { param: error.param }),
		...(error.hint !== undefined && { hint: error.hint }),
		request_id: requestId,
		...(error.details !== undefined && { details: error.details }),
	},
});
