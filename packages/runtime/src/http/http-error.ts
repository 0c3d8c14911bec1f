import { DomainError, type DomainErrorOptions, toErrorBody, toErrorHeaders } from "@stemma/protocol";
import { type HttpResponse, JSON_HEADERS } from "./http-exchange";

/** Options of `HttpError`, an error that becomes the response. */
export interface HttpErrorOptions extends DomainErrorOptions {
	readonly code: string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** Error with the status of its response, which its code alone does not tell. */
export class HttpError extends DomainError {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;

	constructor(status: number, message: string, { code, headers = {}, ...options }: HttpErrorOptions) {
		super(code, message, options);
		this.status = status;
		this.headers = headers;
	}
}

/** Statuses of errors in requests; that of all others is 400. */
const STATUS_BY_CODE: Readonly<Record<string, number>> = {
	approval_not_found: 404,
	approval_decided: 409,
	run_ended: 409,
	approval_expired: 410,
	body_too_large: 413,
	unsupported_media_type: 415,
};

/** The error as the API writes it. */
export function toErrorResponse(
	error: DomainError,
	requestId: string,
): HttpResponse & { readonly body: string } {
	const { status, headers } = toStatus(error);
	return {
		status,
		headers: { ...JSON_HEADERS, ...headers },
		body: JSON.stringify(toErrorBody(error, requestId)),
	};
}

/** Status and headers of the response to an error. */
export function toStatus(error: DomainError): Pick<HttpResponse, "status" | "headers"> {
	const [status, own] =
		error instanceof HttpError ? [error.status, error.headers] : [STATUS_BY_CODE[error.code] ?? 400, {}];
	return { status, headers: { ...toErrorHeaders(error, status), ...own } };
}

/** One field of a request is missing or of the wrong kind. */
export const invalidField = (param: string, message: string, ...others: readonly FieldIssue[]): DomainError =>
	new DomainError("invalid_request", `${param}: ${message}`, {
		param,
		details: { issues: [{ path: param, message }, ...others.map((issue) => ({ ...issue }))] },
	});

/** Problem with one field. */
export interface FieldIssue {
	readonly path: string;
	readonly message: string;
}

/** The client went away. */
export const bodyIncomplete = (): DomainError =>
	new DomainError("body_incomplete", "The connection closed before the full request body was received.");
