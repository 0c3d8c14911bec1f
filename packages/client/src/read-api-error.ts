import type { JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { type ApiError, createApiError } from "./api-errors";
import { redactJson } from "./credential";
import { NOT_THE_SERVICE } from "./invalid-answer";
import type { FetchResponse } from "./platform";
import { readRequestId, toRequestId } from "./response";

/** What was said of an error, perhaps by something else than the service. */
type Said = Readonly<Record<string, unknown>>;

/** An answer that is no success, as an error. Anything may stand between here and the service: its answers are read, too. */
export function readApiError(
	response: FetchResponse,
	body: string,
	redact: (text: string) => string,
): ApiError {
	const { status, headers } = response;
	const said = redactJson(readError(body), redact);
	const { code, message, hint, param, request_id } = readTexts(said);
	return createApiError({
		status,
		code: code || `http_${status}`,
		message: message || `The answer was HTTP ${status}, without a reason.`,
		hint: hint ?? (said.code === undefined ? NOT_THE_SERVICE : undefined),
		requestId: readRequestId(response, redact) || toRequestId(request_id),
		param,
		details: isJsonObject(said.details) ? (said.details as JsonObject) : undefined,
		retryAfterMs: readRetryAfter(headers.get("retry-after")),
	});
}

/** The error object of a body: the API's own, or that of RFC 6749, section 5.2. */
function readError(body: string): Said {
	const parsed = parseJson(body);
	if (!isJsonObject(parsed)) return {};
	if (isJsonObject(parsed.error)) return parsed.error;
	if (typeof parsed.error !== "string") return {};
	return { code: parsed.error, message: parsed.error_description };
}

/** Those of its fields that are texts: `code`, `message` and `hint` should be. */
export const readTexts = (said: Said): Readonly<Record<string, string | undefined>> =>
	Object.fromEntries(
		Object.entries(said).filter((field): field is [string, string] => typeof field[1] === "string"),
	);

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
