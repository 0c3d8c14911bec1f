import type { MiddlewareHandler } from "hono";
import { DomainError } from "../errors/domain-error";
import { readPublicOrigin } from "../http/auth/public-origin";
import type { ServiceContext, ServiceEnvironment } from "../http/service-context";

/** Path below which clients look for the metadata of a resource, which follows with its own path (RFC 9728, section 3). */
export const RESOURCE_METADATA_ROOT = "/.well-known/oauth-protected-resource";

/** Path at which clients look for the metadata of `/mcp`. */
export const RESOURCE_METADATA_PATH = `${RESOURCE_METADATA_ROOT}/mcp`;

/** Scopes that the tools require: a credential needs at least one of these for each tool. */
export const MCP_SCOPES = ["ask", "knowledge:read"] as const;

/** Scopes that agents require by A2A. */
export const A2A_SCOPES = ["agents:run"] as const;

/** Path of the resource that a request of A2A is for: that of its agent. */
export const toAgentPath = (path: string): string => /^\/a2a\/[^/]+/.exec(path)?.[0] ?? "";

/** Tells a client of MCP without the right credential where to get one (RFC 6750, section 3; RFC 9728, section 5.1). */
export const challengeCaller = createChallenge(() => "/mcp", MCP_SCOPES);

/** Tells a client of A2A the same. */
export const challengeAgentCaller = createChallenge(toAgentPath, A2A_SCOPES);

/** @param toResource - path of the resource that a request is for. */
function createChallenge(
	toResource: (path: string) => string,
	scopes: readonly string[],
): MiddlewareHandler<ServiceEnvironment> {
	return async (context, next) => {
		await next();
		const parameters = toParameters(context.error, scopes);
		if (parameters === undefined) return;
		const path = `${RESOURCE_METADATA_ROOT}${toResource(context.req.path)}`;
		const metadata = `resource_metadata="${readPublicOrigin(context)}${path}"`;
		context.header("cache-control", "no-store");
		context.header("www-authenticate", `Bearer ${[...parameters, metadata].join(", ")}`);
	};
}

function toParameters(
	error: ServiceContext["error"],
	scopes: readonly string[],
): readonly string[] | undefined {
	if (!(error instanceof DomainError)) return undefined;
	switch (error.code) {
		case "missing_credentials":
			return [toScope(scopes)];
		case "invalid_credentials":
			return ['error="invalid_token"', toScope(scopes)];
		case "missing_scope":
			return ['error="insufficient_scope"', toScope(readScopes(error, scopes))];
		default:
			return undefined;
	}
}

const toScope = (scopes: readonly string[]): string => `scope="${scopes.join(" ")}"`;

function readScopes({ details }: DomainError, otherwise: readonly string[]): readonly string[] {
	const { scopes } = details ?? {};
	return Array.isArray(scopes) ? scopes.map(String) : otherwise;
}
