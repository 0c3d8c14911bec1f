import type { MiddlewareHandler } from "hono";
import { DomainError } from "../errors/domain-error";
import { readPublicOrigin } from "../http/auth/public-origin";
import type { ServiceContext, ServiceEnvironment } from "../http/service-context";

/** Path at which clients look for the metadata of `/mcp` (RFC 9728). */
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource/mcp";

/** Scopes that the tools require: a credential needs at least one of these for each tool. */
export const MCP_SCOPES = ["ask", "knowledge:read"] as const;

/** Tells a client without the right credential where to get one (RFC 6750, section 3; RFC 9728, section 5.1). */
export const challengeCaller: MiddlewareHandler<ServiceEnvironment> = async (context, next) => {
	await next();
	const parameters = toParameters(context.error);
	if (parameters === undefined) return;
	const metadata = `resource_metadata="${readPublicOrigin(context)}${RESOURCE_METADATA_PATH}"`;
	context.header("cache-control", "no-store");
	context.header("www-authenticate", `Bearer ${[...parameters, metadata].join(", ")}`);
};

function toParameters(error: ServiceContext["error"]): readonly string[] | undefined {
	if (!(error instanceof DomainError)) return undefined;
	switch (error.code) {
		case "missing_credentials":
			return [toScope(MCP_SCOPES)];
		case "invalid_credentials":
			return ['error="invalid_token"', toScope(MCP_SCOPES)];
		case "missing_scope":
			return ['error="insufficient_scope"', toScope(readScopes(error))];
		default:
			return undefined;
	}
}

const toScope = (scopes: readonly string[]): string => `scope="${scopes.join(" ")}"`;

function readScopes({ details }: DomainError): readonly string[] {
	const { scopes } = details ?? {};
	return Array.isArray(scopes) ? scopes.map(String) : MCP_SCOPES;
}
