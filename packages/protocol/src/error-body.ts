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

/** Headers of an error: when to come again, and how to authenticate. */
export const toErrorHeaders = (
	{ retryAfterSeconds }: DomainError,
	status: number,
): Readonly<Record<string, string>> => ({
	...(status === 401 && { "www-authenticate": "Bearer" }),
	...(retryAfterSeconds !== undefined && {
		"retry-after": String(Math.max(1, Math.ceil(retryAfterSeconds))),
	}),
});
