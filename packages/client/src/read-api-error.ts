import type { JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { type ApiError, createApiError } from "./api-errors";
import { NOT_THE_SERVICE } from "./invalid-answer";
import type { FetchResponse } from "./platform";

/** An answer that is no success, as an error. Anything may stand between here and the service: its answers are read, too. */
export function readApiError({ status, headers }: FetchResponse, body: string): ApiError {
	const said = readError(body);
	const text = (name: string): string | undefined => {
		const value = said[name];
		return typeof value === "string" ? value : undefined;
	};
	return createApiError({
		status,
		code: text("code") || `http_${status}`,
		message: text("message") || `The answer was HTTP ${status}, without a reason.`,
		hint: text("hint") ?? (said.code === undefined ? NOT_THE_SERVICE : undefined),
		requestId: headers.get("x-request-id") ?? text("request_id"),
		param: text("param"),
		details: isJsonObject(said.details) ? (said.details as JsonObject) : undefined,
		retryAfterMs: readRetryAfter(headers.get("retry-after")),
	});
}

/** The error object of a body: the API's own, or that of RFC 6749, section 5.2. */
function readError(body: string): { readonly [key: string]: unknown } {
	const parsed = parseJson(body);
	if (!isJsonObject(parsed)) return {};
	if (isJsonObject(parsed.error)) return parsed.error;
	if (typeof parsed.error !== "string") return {};
	return { code: parsed.error, message: parsed.error_description };
}

export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Seconds or a date (RFC 9110, section 10.2.3), as milliseconds from now. */
export function readRetryAfter(header: string | null): number | undefined {
	if (!header?.trim()) return undefined;
	const seconds = Number(header);
	const milliseconds = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
	return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
