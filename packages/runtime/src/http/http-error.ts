import type { JsonObject } from "@stemma/core";
import { StemmaError, type StemmaErrorOptions } from "@stemma/core/errors";
import { type HttpResponse, JSON_HEADERS } from "./http-exchange";

/** Options of `HttpError`, an error that becomes the response. */
export interface HttpErrorOptions extends StemmaErrorOptions {
	/** The field of the request, as one writes it in JavaScript. */
	readonly param?: string;
	readonly details?: JsonObject;
	readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that is an error. */
export class HttpError extends StemmaError {
	readonly status: number;
	readonly param?: string;
	readonly details?: JsonObject;
	readonly headers: Readonly<Record<string, string>>;

	constructor(
		status: number,
		message: string,
		{ param, details, headers = {}, ...options }: HttpErrorOptions,
	) {
		super(message, options);
		this.status = status;
		this.headers = headers;
		if (param !== undefined) this.param = param;
		if (details !== undefined) this.details = details;
	}
}

/** The error as the API writes it. */
export function toErrorResponse(
	error: HttpError,
	requestId: string,
): HttpResponse & { readonly body: string } {
	const { status, code, message, param, hint, details, headers } = error;
	// JSON leaves out what is undefined.
	const body = JSON.stringify({ error: { code, message, param, hint, request_id: requestId, details } });
	return { status, headers: { ...JSON_HEADERS, ...headers }, body };
}

/** One field of a request is missing or of the wrong kind. */
export const invalidField = (param: string, message: string, ...others: readonly FieldIssue[]): HttpError =>
	new HttpError(400, `${param}: ${message}`, {
		code: "invalid_request",
		param,
		details: { issues: [{ path: param, message }, ...others.map((issue) => ({ ...issue }))] },
	});

/** Problem with one field. */
export interface FieldIssue {
	readonly path: string;
	readonly message: string;
}

export const bodyTooLarge = (): HttpError =>
	new HttpError(413, "The body is larger than 2 MB.", {
		code: "body_too_large",
		hint: "Send less at once: long documents belong in a knowledge base.",
	});

/** The client went away. */
export const bodyIncomplete = (): HttpError =>
	new HttpError(400, "The connection closed before the full request body was received.", {
		code: "body_incomplete",
	});
