import type { JsonObject } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";

/** Details of a {@link DomainError} beyond its message. */
export interface DomainErrorOptions {
	/** Advice on what to do about it, as a sentence. */
	readonly hint?: string | undefined;
	/** The field at fault, written as in JavaScript: `graph.nodes[0].id`. */
	readonly param?: string | undefined;
	readonly details?: JsonObject | undefined;
	/** Seconds until the request may be retried. */
	readonly retryAfterSeconds?: number | undefined;
	/**
	 * Origin of the error, if its code alone does not tell: `upstream` for the code of a model, a run or an agent
	 * that failed; `deployment` for a limit of all workspaces together; `request` for a model's error that is the
	 * request's fault.
	 */
	readonly origin?: "upstream" | "deployment" | "request" | undefined;
	/** Cause for the log; never sent. */
	readonly cause?: unknown;
}

/** Error with a stable code. All of it but its cause is sent to the caller, so nothing in it may be secret. */
export class DomainError extends StemmaError {
	readonly param?: string;
	readonly details?: JsonObject;
	readonly retryAfterSeconds?: number;
	readonly origin?: "upstream" | "deployment" | "request";

	constructor(code: string, message: string, options: DomainErrorOptions = {}) {
		const { hint, cause, param, details, retryAfterSeconds, origin } = options;
		super(message, { code, hint, ...(cause !== undefined && { cause }) });
		if (param !== undefined) this.param = param;
		if (details !== undefined) this.details = details;
		if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds;
		if (origin !== undefined) this.origin = origin;
	}
}
