import { ApiError } from "@stemma/client";
import { ConfigurationError, isStemmaError, type StemmaError } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";
import type { AgentEntry } from "../../agents/catalog";
import { HttpError } from "../http-error";

/**
 * Converts the error of a run that could not be started to an answer. For a manifest the service caused it: its
 * complaints about the request are passed on; those about our own credentials do not concern the caller. Undefined for
 * unexpected errors.
 */
export function toStartError(error: unknown, entry: AgentEntry): HttpError | undefined {
	if (!isStemmaError(error)) return undefined;
	if (entry.remoteAgentId === undefined) {
		return ConfigurationError.is(error)
			? new HttpError(400, error.message, { code: "invalid_request", hint: error.hint })
			: undefined;
	}
	return toServiceError(error, `${quote(entry.file)} (${entry.remoteAgentId})`, "agents:run");
}

/**
 * Converts a failed call of the service to an answer.
 *
 * @param manifest - the manifest's file and the agent it names.
 * @param scope - what the call needs.
 */
export function toServiceError(
	error: StemmaError,
	manifest: string,
	scope: "agents:run" | "runs:approve",
): HttpError {
	const status = ApiError.is(error) ? error.status : 0;
	if (status === 404)
		return new HttpError(404, `The service does not have the agent that the manifest ${manifest} names.`, {
			code: "agent_not_found",
			hint: "Correct `remoteAgentId`, or give the runtime's client access to that agent.",
		});
	if (status === 401 || status === 403)
		return new HttpError(502, "The service refused the credentials of this runtime.", {
			code: "upstream_refused",
			hint: `Check STEMMA_CLIENT_ID, STEMMA_CLIENT_SECRET and the scopes of that client (${scope}).`,
		});
	if (ApiError.is(error) && status < 500) return forwardError(error);
	if (status === 503) return unavailable("The service is not ready.");
	return unavailable("The service could not be reached, or failed.");
}

export const forwardError = (error: ApiError): HttpError =>
	new HttpError(error.status, error.message, {
		code: error.code,
		hint: error.hint,
		...(error.param === undefined ? {} : { param: error.param }),
		...(error.details === undefined ? {} : { details: error.details }),
		...(error.retryAfterMs === undefined ? {} : { retryAfterSeconds: error.retryAfterMs / 1000 }),
	});

const unavailable = (message: string): HttpError =>
	new HttpError(502, message, {
		code: "upstream_unavailable",
		hint: "Check the address of the service (STEMMA_BASE_URL) and that it runs; then try again.",
	});

/** Answer of `GET /readyz` while runs would fail. It is open to all, and says nothing about addresses or credentials. */
export function notReadyError(status: "refused" | "unavailable" | "unchecked"): HttpError {
	if (status === "refused")
		return new HttpError(503, "The service refused the credentials of this runtime.", {
			code: "upstream_refused",
			hint: "Set STEMMA_CLIENT_ID and STEMMA_CLIENT_SECRET to those of a client of the service, and restart the runtime. The runtime's log has the details.",
		});
	if (status === "unchecked")
		return new HttpError(503, "The runtime has not reached its service yet.", {
			code: "starting",
			hint: "Try again in a moment.",
		});
	return new HttpError(503, "The service cannot be reached, or is not ready.", {
		code: "upstream_unavailable",
		hint: "Check that the service runs, and STEMMA_BASE_URL. The runtime keeps trying.",
	});
}
