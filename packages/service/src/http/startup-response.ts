import { toErrorBody } from "@stemma/protocol";
import { DomainError } from "../errors/domain-error";
import { STEMMA_VERSION } from "../stemma-version";
import { resolveRequestId } from "./request-id";

const RETRY_SECONDS = "1";

/** Answers while the data folder is being opened. */
export function respondWhileStarting(request: Request): Response {
	const requestId = resolveRequestId(request.headers.get("x-request-id") ?? undefined);
	const headers = {
		"x-request-id": requestId,
		"stemma-version": STEMMA_VERSION,
		"retry-after": RETRY_SECONDS,
	};
	const { pathname } = new URL(request.url);
	if (pathname === "/healthz") return Response.json({ status: "ok", version: STEMMA_VERSION }, { headers });
	if (pathname === "/readyz") return Response.json({ status: "starting" }, { status: 503, headers });
	const error = new DomainError("starting", "The service is starting.", { hint: "Try again in a moment." });
	return Response.json(toErrorBody(error, requestId), { status: 503, headers });
}
