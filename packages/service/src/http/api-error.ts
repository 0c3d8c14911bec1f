import { type JsonObject, StemmaError } from "@stemma/core";

/** Details of an {@link ApiError} beyond its message. */
export interface ApiErrorOptions {
	/** Advice on what to do about it, as a sentence. */
	readonly hint?: string | undefined;
	/** The field at fault, written as in JavaScript: `graph.nodes[0].id`. */
	readonly param?: string | undefined;
	readonly details?: JsonObject | undefined;
	/** Seconds until the request may be retried: the `retry-after` header. */
	readonly retryAfterSeconds?: number | undefined;
	/** Cause for the log; never sent. */
	readonly cause?: unknown;
}

/** An answer that is an error: all of it is sent to the caller, so nothing in it may be secret. */
export class ApiError extends StemmaError {
	readonly status: number;
	readonly param?: string;
	readonly details?: JsonObject;
	readonly retryAfterSeconds?: number;

	constructor(status: number, code: string, message: string, options: ApiErrorOptions = {}) {
		super(message, {
			code,
			hint: options.hint,
			...(options.cause !== undefined && { cause: options.cause }),
		});
		this.status = status;
		if (options.param !== undefined) this.param = options.param;
		if (options.details !== undefined) this.details = options.details;
		if (options.retryAfterSeconds !== undefined) this.retryAfterSeconds = options.retryAfterSeconds;
	}
}
