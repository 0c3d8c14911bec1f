import type { ServiceContext } from "../service-context";

// By name: there is no wildcard for a part.
const ALLOWED_HEADERS =
	"authorization, x-api-key, anthropic-version, anthropic-beta, anthropic-dangerous-direct-browser-access, content-type, idempotency-key, last-event-id, stemma-depth, stemma-run-token, stemma-thread-token, stemma-answer-token, stemma-visitor, a2a-version, a2a-extensions, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, traceparent, tracestate";
const EXPOSED_HEADERS =
	"x-request-id, retry-after, stemma-version, stemma-receipt-id, mcp-session-id, www-authenticate";
const PREFLIGHT_SECONDS = "7200";

/** Says yes to any origin: a preflight has no credential. The key's origins are checked on the request that follows. */
export function respondToPreflight(context: ServiceContext): Response {
	setOrigin(context);
	const method = context.req.header("access-control-request-method");
	if (method !== undefined) context.header("access-control-allow-methods", method);
	context.header("access-control-allow-headers", ALLOWED_HEADERS);
	context.header("access-control-max-age", PREFLIGHT_SECONDS);
	return context.body(null, 204);
}

/** Lets a page of another origin read the answer, errors too. Without cookies: only a credential that it has itself counts. */
export function setCorsHeaders(context: ServiceContext): void {
	setOrigin(context);
	if (context.req.header("origin") === undefined) return;
	context.header("access-control-expose-headers", EXPOSED_HEADERS);
}

function setOrigin(context: ServiceContext): void {
	context.header("vary", "origin", { append: true });
	const origin = context.req.header("origin");
	if (origin !== undefined) context.header("access-control-allow-origin", origin);
}
