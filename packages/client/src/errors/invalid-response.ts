import type { FetchResponse } from "../http/platform";
import { discardBody, isEventStream, isJsonResponse } from "../http/response";
import { type ApiError, createApiError } from "./api-errors";

/** Error code of a successful response that is not what was requested. */
export const INVALID_RESPONSE = "invalid_response";

export const CHECK_BASE_URL_HINT = "Check `baseUrl`: something other than the service may have answered.";

/** A success that is not what was asked for: most likely, a proxy or another server answered. */
export const createInvalidResponseError = (message: string, requestId: string, status = 200): ApiError =>
	createApiError({ code: INVALID_RESPONSE, message, hint: CHECK_BASE_URL_HINT, status, requestId });

/** @throws ApiError for what has no events, and is no answer as a whole either. */
export function assertStream(response: FetchResponse, requestId: string): void {
	if (isEventStream(response) || isJsonResponse(response)) return;
	discardBody(response);
	throw createInvalidResponseError(
		"The answer is neither a stream of events nor JSON.",
		requestId,
		response.status,
	);
}
