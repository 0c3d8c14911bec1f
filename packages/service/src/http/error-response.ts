import type { JsonObject } from "@stemma/core";
import { StorageError } from "../store/storage-error";
import { workspaceUnavailable } from "../workspaces/workspace-errors";
import { ApiError } from "./api-error";
import { isOpenAiPath, toOpenAiErrorType } from "./openai-errors";
import type { ServiceContext } from "./service-app";

/** The body of every error. */
export interface ErrorBody {
	readonly error: {
		readonly code: string;
		/** OpenAI's error type, on the OpenAI-compatible routes. */
		readonly type?: string;
		readonly message: string;
		readonly param?: string;
		readonly hint?: string;
		readonly request_id: string;
		readonly details?: JsonObject;
	};
}

/** Answers with any error: our own as they are, all others as `internal_error`, with the truth in the log. */
export function respondWithError(context: ServiceContext, error: unknown): Response {
	const { signal } = context.req.raw;
	const apiError =
		signal.aborted && error === signal.reason ? requestCancelled() : toContextError(context, error);
	if (apiError.status >= 500) logError(context, apiError, error);
	if (apiError.status === 401) context.header("www-authenticate", "Bearer");
	if (apiError.retryAfterSeconds !== undefined)
		context.header("retry-after", String(Math.max(1, Math.ceil(apiError.retryAfterSeconds))));
	const { status } = apiError;
	return context.body(JSON.stringify(toContextErrorBody(context, apiError)), toStatus(status), {
		"content-type": "application/json",
	});
}

/**
 * Converts an error to an error of the API. If the workspace was found to be damaged meanwhile, a server error becomes
 * the error of an unavailable workspace.
 */
function toContextError(context: ServiceContext, error: unknown): ApiError {
	const apiError = toApiError(error);
	const workspace = context.get("workspace") as { readonly id: string } | undefined;
	if (apiError.status < 500 || workspace === undefined) return apiError;
	const { workspaces } = context.get("kernel");
	return workspaces.findUnavailable(workspace.id) === undefined
		? apiError
		: workspaceUnavailable(workspace.id);
}

/** The error of a request whose client has left: no failure of the service, and nobody reads it but those who count. */
export const requestCancelled = (): ApiError =>
	new ApiError(409, "cancelled", "The request was cancelled before it was answered.", {
		hint: "Send it again.",
	});

/** The body of an error in the form of the route that it is an answer of. */
export function toContextErrorBody(context: ServiceContext, error: ApiError): ErrorBody {
	const body = toErrorBody(error, context.get("requestId"));
	if (!isOpenAiPath(context.req.path)) return body;
	return { error: { ...body.error, type: toOpenAiErrorType(error.status) } };
}

export const toErrorBody = (error: ApiError, requestId: string): ErrorBody => ({
	error: {
		code: error.code,
		message: error.message,
		...(error.param !== undefined && { param: error.param }),
		...(error.hint !== undefined && { hint: error.hint }),
		request_id: requestId,
		...(error.details !== undefined && { details: error.details }),
	},
});

const STORAGE_RETRY_SECONDS = 10;

/** Converts any error to the one that is sent. */
export function toApiError(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	if (error instanceof StorageError)
		return error.code === "storage_full"
			? new ApiError(503, "storage_full", "The service has no space left to store this.", {
					hint: "Nothing was changed. Whoever runs the service must free some space.",
					retryAfterSeconds: STORAGE_RETRY_SECONDS,
				})
			: new ApiError(503, "storage_unavailable", "The service cannot reach its store.", {
					hint: "Try again later; the service's log says what is wrong.",
					retryAfterSeconds: STORAGE_RETRY_SECONDS,
				});
	return new ApiError(500, "internal_error", "Something went wrong in the service.", {
		hint: "This is a mistake of the service, not yours. Its log has more under the request id.",
	});
}

/** Writes what went wrong into the log, under the request's id. */
export function logError(context: ServiceContext, { code }: ApiError, error: unknown): void {
	const { logger } = context.get("kernel");
	logger.error({ request_id: context.get("requestId"), code, err: error }, "request failed");
}

/** Hono's type lists the statuses that may have a body; errors all may. */
type ErrorStatus = 400;
const toStatus = (status: number): ErrorStatus => status as ErrorStatus;
