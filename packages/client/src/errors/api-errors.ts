import type { JsonObject } from "@stemma/core";
import { StemmaError } from "@stemma/core/errors";

/** Fields to create an {@link ApiError} from. */
export interface ApiErrorFields {
	readonly status: number;
	readonly code: string;
	readonly message: string;
	readonly hint?: string | undefined;
	readonly requestId?: string | undefined;
	readonly param?: string | undefined;
	readonly details?: JsonObject | undefined;
	readonly retryAfterMs?: number | undefined;
}

/** The service answered that it will not or cannot. `code`, `message` and `hint` are its own. */
export class ApiError extends StemmaError {
	static override get stemmaName(): string {
		return "ApiError";
	}
	declare static readonly is: (error: unknown) => error is ApiError;

	/** The HTTP status. */
	declare readonly status: number;
	/** `x-request-id` of the answer, to look for in the service's log; empty when it had none. */
	declare readonly requestId: string;
	/** The field that is meant, as in JavaScript: `graph.nodes[0].id`. */
	declare readonly param?: string;
	declare readonly details?: JsonObject;
	/** Milliseconds that the service asks to wait before the next try. */
	declare readonly retryAfterMs?: number;

	constructor({ code, message, hint, requestId = "", ...fields }: ApiErrorFields) {
		super(message, { code, hint }, { ...fields, requestId });
	}
}

/** 401: the credential is missing, wrong, or no longer valid. */
export class AuthenticationError extends ApiError {
	static override get stemmaName(): string {
		return "AuthenticationError";
	}
	declare static readonly is: (error: unknown) => error is AuthenticationError;
}

/** 403: the credential is good, and not for this. */
export class PermissionError extends ApiError {
	static override get stemmaName(): string {
		return "PermissionError";
	}
	declare static readonly is: (error: unknown) => error is PermissionError;
}

/** 404: there is no such thing, or not for this credential. */
export class NotFoundError extends ApiError {
	static override get stemmaName(): string {
		return "NotFoundError";
	}
	declare static readonly is: (error: unknown) => error is NotFoundError;
}

/** 409: it contradicts what is there. */
export class ConflictError extends ApiError {
	static override get stemmaName(): string {
		return "ConflictError";
	}
	declare static readonly is: (error: unknown) => error is ConflictError;
}

/** 400 and 422: the request is malformed, or asks for what cannot be; `param` names the field. */
export class InvalidRequestError extends ApiError {
	static override get stemmaName(): string {
		return "InvalidRequestError";
	}
	declare static readonly is: (error: unknown) => error is InvalidRequestError;
}

/** 429: too much at once, or a budget is spent; `retryAfterMs` tells when to come again. */
export class RateLimitError extends ApiError {
	static override get stemmaName(): string {
		return "RateLimitError";
	}
	declare static readonly is: (error: unknown) => error is RateLimitError;
}

/** 501: this deployment is not set up for it. */
export class NotConfiguredError extends ApiError {
	static override get stemmaName(): string {
		return "NotConfiguredError";
	}
	declare static readonly is: (error: unknown) => error is NotConfiguredError;
}

/** 500 and above: the service, or something that it rests on, failed. */
export class ServerError extends ApiError {
	static override get stemmaName(): string {
		return "ServerError";
	}
	declare static readonly is: (error: unknown) => error is ServerError;
}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
	400: InvalidRequestError,
	401: AuthenticationError,
	403: PermissionError,
	404: NotFoundError,
	409: ConflictError,
	422: InvalidRequestError,
	429: RateLimitError,
	501: NotConfiguredError,
};

/** The error whose class fits the status. */
export function createApiError(fields: ApiErrorFields): ApiError {
	const ErrorClass = BY_STATUS[fields.status] ?? (fields.status >= 500 ? ServerError : ApiError);
	return new ErrorClass(fields);
}
