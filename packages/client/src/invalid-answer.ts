import { type ApiError, createApiError } from "./api-errors";
import type { FetchResponse } from "./platform";
import { dropBody, isEventStream, isJsonAnswer } from "./response";

export const INVALID_ANSWER = "invalid_answer";

export const NOT_THE_SERVICE = "Look at `baseUrl`: something else than the service may have answered.";

/** A success that is not what was asked for: most likely, a proxy or another server answered. */
export const createInvalidAnswerError = (
	message: string,
	{ status, requestId }: { readonly status: number; readonly requestId: string },
): ApiError =>
	createApiError({
		code: INVALID_ANSWER,
		message,
		hint: NOT_THE_SERVICE,
		status,
		requestId,
	});

/** @throws ApiError for what has no events, and is no answer as a whole either. */
export function demandStream(response: FetchResponse, requestId: string): void {
	if (isEventStream(response) || isJsonAnswer(response)) return;
	dropBody(response);
	throw createInvalidAnswerError("The answer is neither a stream of events nor JSON.", {
		status: response.status,
		requestId,
	});
}
