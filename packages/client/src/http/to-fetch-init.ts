import { ConfigurationError } from "@stemma/core/errors";
import type { ServiceRequest } from "../client";
import { type ConnectionSettings, mergeHeaders } from "../options/client-options";
import { encodeFormFields, toQuery, validatePath } from "./path";
import { createIdempotencyKey, type FetchInit } from "./platform";

/** @throws ConfigurationError for a path without an id where there should be one. */
export const toUrl = (baseUrl: string, { path, query }: ServiceRequest): string =>
	`${baseUrl}${validatePath(path)}${toQuery(query)}`;

/** A request as `fetch` takes it; each POST to a service or a runtime has an idempotency key. */
export function toFetchInit(
	request: ServiceRequest,
	client: Pick<ConnectionSettings, "headers" | "visitor">,
): Omit<FetchInit, "signal"> {
	const { method, accept = "application/json", options = {} } = request;
	const { type, body } = toBody(request);
	const key =
		method === "POST" && !request.acceptStatus ? readIdempotencyKey(options.idempotencyKey) : undefined;
	const headers = mergeHeaders(
		{ "stemma-visitor": key && client.visitor },
		client.headers,
		{ accept, "content-type": type, "idempotency-key": key },
		request.headers,
		options.headers,
	);
	return {
		method,
		headers,
		redirect: request.stream?.redirect ?? "manual",
		...(body && { body }),
		...(request.stream && { duplex: "half" }),
	};
}

function readIdempotencyKey(given = createIdempotencyKey()): string {
	if (/^[\x20-\x7e]{1,200}$/.test(given)) return given;
	throw new ConfigurationError("`idempotencyKey` must have 1 to 200 printable ASCII characters.");
}

/** `fetch` itself writes the type of a form with files, boundary and all. */
function toBody({ json, form, fields, stream }: ServiceRequest): {
	readonly type?: string;
	readonly body?: FetchInit["body"] | undefined;
} {
	if (json) return { type: "application/json", body: JSON.stringify(json) };
	if (fields) return { type: "application/x-www-form-urlencoded", body: encodeFormFields(fields) };
	return stream ? { type: stream.type, body: stream.open() } : { body: form };
}
