import { SCOPES } from "../../auth/scopes";
import { allowCrossOrigin } from "../../http/auth/authenticate";
import { readPublicOrigin } from "../../http/auth/public-origin";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { MCP_SCOPES, RESOURCE_METADATA_PATH } from "../mcp-challenge";

/**
 * `/.well-known/…`: how a client that only knows an address finds out where to log in. Open, and for any origin. Each address
 * in it answers, the origin and the authorization endpoint too.
 */
export function addOAuthMetadataRoutes(app: ServiceApp): void {
	const add = (path: string, describe: (context: ServiceContext) => object): void =>
		void app.get(
			path,
			allowCrossOrigin((context: ServiceContext) => respond(context, describe(context))),
		);
	add("/.well-known/oauth-protected-resource", (context) => describeResource(context, ""));
	add(RESOURCE_METADATA_PATH, (context) => describeResource(context, "/mcp"));
	add("/.well-known/oauth-authorization-server", describeServer);
	app.get("/oauth/authorize", rejectAuthorization);
}

/** Rejects a browser login: no response type is supported that it could request (RFC 6749, section 4.1.2.1). */
const rejectAuthorization = (context: ServiceContext): Response =>
	context.json(
		{
			error: "unsupported_response_type",
			error_description: "Only the grant client_credentials is offered: ask POST /oauth/token for a token.",
		},
		400,
	);

/** RFC 9728, section 2. */
function describeResource(context: ServiceContext, path: string): object {
	const origin = readPublicOrigin(context);
	return {
		resource: `${origin}${path}`,
		authorization_servers: [origin],
		scopes_supported: MCP_SCOPES,
		bearer_methods_supported: ["header"],
		resource_name: "Stemma",
	};
}

/** RFC 8414, section 2. */
function describeServer(context: ServiceContext): object {
	const origin = readPublicOrigin(context);
	return {
		issuer: origin,
		token_endpoint: `${origin}/oauth/token`,
		token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
		grant_types_supported: ["client_credentials"],
		scopes_supported: SCOPES,
		// It refuses all, as no response type says; the official clients do not read metadata without one.
		authorization_endpoint: `${origin}/oauth/authorize`,
		response_types_supported: [],
	};
}

/** Responds with metadata. Its addresses are taken from the request, so shared caches must not store it. */
function respond(context: ServiceContext, metadata: object): Response {
	context.header("cache-control", "private, max-age=300");
	context.header("access-control-allow-origin", "*");
	return context.json(metadata);
}
