import type { Json, JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { redactJson } from "../auth/credential";
import type { FetchResponse } from "../http/platform";
import { readRequestId, toRequestId } from "../http/response";
import { type ApiError, createApiError } from "./api-errors";
import { CHECK_BASE_URL_HINT } from "./invalid-response";

/** An answer that is no success, as an error. Anything may stand between here and the service: its answers are read, too. */
export function readApiError(
	response: FetchResponse,
	body: string,
	redact: (text: string) => string,
): ApiError {
	const { status, headers } = response;
	const errorBody = redactJson(readErrorBody(body), redact);
	const { code, message, hint, param, request_id } = readStrings(errorBody);
	return createApiError({
		status,
		code: code || `http_${status}`,
		message: message || `The answer was HTTP ${status}, without a reason.`,
		hint: hint ?? (errorBody.code === undefined ? CHECK_BASE_URL_HINT : undefined),
		requestId: readRequestId(response, redact) || toRequestId(request_id),
		param,
		details: isJsonObject(errorBody.details) ? errorBody.details : undefined,
		retryAfterMs: readRetryAfter(headers.get("retry-after")),
	});
}

/** The error object of a body: the API's own, or that of RFC 6749, section 5.2. */
function readErrorBody(body: string): JsonObject {
	const parsed = parseJson(body);
	if (!isJsonObject(parsed)) return {};
	if (isJsonObject(parsed.error)) return parsed.error;
	if (typeof parsed.error !== "string") return {};
	return { code: parsed.error, message: parsed.error_description ?? "" };
}

/** Returns the fields whose values are texts, as `code`, `message` and `hint` should be. */
export const readStrings = (
	errorBody: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string | undefined>> =>
	Object.fromEntries(
		Object.entries(errorBody).filter((field): field is [string, string] => typeof field[1] === "string"),
	);

export function parseJson(text: string): Json | undefined {
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
