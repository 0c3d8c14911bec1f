import { ConfigurationError } from "@stemma/core/errors";
import type { ServiceRequest } from "./client";
import { mergeHeaders } from "./options";
import { toFormFields, toQuery } from "./path";
import { createIdempotencyKey, type FetchInit } from "./platform";

export const toUrl = (baseUrl: string, { path, query }: ServiceRequest): string =>
	`${baseUrl}${path}${toQuery(query)}`;

/** A request as `fetch` takes it; each POST has an idempotency key. */
export function toFetchInit(
	request: ServiceRequest,
	clientHeaders: Readonly<Record<string, string>>,
): Omit<FetchInit, "signal"> {
	const { method, accept = "application/json", options = {} } = request;
	const { body, type } = toBody(request);
	const headers = mergeHeaders(
		clientHeaders,
		{ accept },
		type === undefined ? {} : { "content-type": type },
		method === "POST" ? { "idempotency-key": idempotencyKey(options.idempotencyKey) } : {},
		request.headers,
		options.headers,
	);
	return { method, headers, redirect: "manual", ...(body === undefined ? {} : { body }) };
}

function idempotencyKey(given: string | undefined): string {
	if (given === undefined) return createIdempotencyKey();
	if (/^[\x20-\x7e]{1,200}$/.test(given)) return given;
	throw new ConfigurationError("`idempotencyKey` must have 1 to 200 printable ASCII characters.");
}

/** `fetch` itself writes the type of a form with files, boundary and all. */
function toBody({ json, form, fields }: ServiceRequest): {
	readonly body?: string | FormData;
	readonly type?: string;
} {
	if (json !== undefined) return { body: JSON.stringify(json), type: "application/json" };
	if (fields !== undefined) return { body: toFormFields(fields), type: "application/x-www-form-urlencoded" };
	return form === undefined ? {} : { body: form };
}
