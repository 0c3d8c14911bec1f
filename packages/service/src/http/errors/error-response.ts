import { type ErrorBody, toErrorBody, toErrorHeaders } from "@stemma/protocol";
import type { Logger } from "pino";
import type { DomainError } from "../../errors/domain-error";
import { requestCancelled, toDomainError } from "../../errors/to-domain-error";
import type { ServiceKernel } from "../../kernel";
import { workspaceUnavailable } from "../../workspaces/workspace-errors";
import type { ServiceContext } from "../service-context";
import { findStatusOfCode, toStatus } from "../statuses";
import { isAnthropicPath, toAnthropicErrorBody } from "./anthropic-error";

/** Responds with any error: our own as they are, all others as `internal_error`, with the truth in the log. */
export function respondWithError(context: ServiceContext, error: unknown): Response {
	const { signal } = context.req.raw;
	const domainError =
		signal.aborted && error === signal.reason ? requestCancelled() : toContextError(context, error);
	const ownStatus = toStatus(domainError);
	const { logFailure, telemetry } = context.get("kernel");
	logFailure(context.get("requestId"), domainError, error);
	// Libraries and servers of others make up codes: these are counted as one.
	telemetry.metrics.countError(findStatusOfCode(domainError.code) === undefined ? "other" : domainError.code);
	const { status, body } = context.get("errorFormat")?.(
		domainError,
		ownStatus,
		context.req.header("authorization"),
	) ?? {
		status: ownStatus,
		body: toContextErrorBody(context, domainError),
	};
	// Hono's type lists the statuses that may have a body; those of errors all may.
	return context.body(JSON.stringify(body), status as 400, {
		"content-type": "application/json",
		...toErrorHeaders(domainError, status),
	});
}

/**
 * Converts an error to one for the caller. If the workspace was found to be damaged meanwhile, a server error becomes
 * the error of an unavailable workspace.
 */
function toContextError(context: ServiceContext, error: unknown): DomainError {
	const domainError = toDomainError(error);
	const workspace = context.get("workspace") as { readonly id: string } | undefined;
	if (toStatus(domainError) < 500 || workspace === undefined) return domainError;
	const { workspaces } = context.get("kernel");
	return workspaces.findUnavailable(workspace.id) === undefined
		? domainError
		: workspaceUnavailable(workspace.id);
}

/** The body of an error in the form of the route that it is an answer of. */
export function toContextErrorBody(context: ServiceContext, error: DomainError): ErrorBody {
	const body = toErrorBody(error, context.get("requestId"));
	const { path } = context.req;
	if (isAnthropicPath(path)) return toAnthropicErrorBody(body, toStatus(error));
	if (!isOpenAiPath(path)) return body;
	return { error: { ...body.error, type: toOpenAiErrorType(toStatus(error)) } };
}

/** Writes errors with a status of 500 or more into the log. */
export const createFailureLog =
	(logger: Logger): ServiceKernel["logFailure"] =>
	(requestId, error, cause) => {
		if (toStatus(error) < 500) return;
		logger.error({ request_id: requestId, code: error.code, err: cause }, "request failed");
	};

/** Checks whether a path is one of the OpenAI-compatible routes, whose errors have OpenAI's `type` as well. */
const isOpenAiPath = (path: string): boolean =>
	/^\/v1\/(chat\/completions|responses|embeddings|models)(\/|$)/.test(path);

const TYPES: { readonly [status: number]: string } = {
	401: "authentication_error",
	403: "permission_error",
	404: "not_found_error",
	429: "rate_limit_error",
};

const toOpenAiErrorType = (status: number): string =>
	TYPES[status] ?? (status >= 500 ? "server_error" : "invalid_request_error");
