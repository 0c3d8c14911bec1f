import type { Scope } from "@stemma/client";
import { SCOPES } from "../../auth/scopes";
import { allowCrossOrigin } from "../../http/auth/authenticate";
import { readPublicOrigin } from "../../http/auth/public-origin";
import type { ServiceApp, ServiceContext } from "../../http/service-context";
import { A2A_SCOPES, MCP_SCOPES, RESOURCE_METADATA_PATH, RESOURCE_METADATA_ROOT } from "../challenge-caller";

/**
 * `/.well-known/…`: how a client that only knows an address finds out where to log in. Open, and for any origin. Each address
 * in it answers.
 */
export function addOAuthMetadataRoutes(app: ServiceApp): void {
	const add = (path: string, describe: (context: ServiceContext) => object): void =>
		void app.get(
			path,
			allowCrossOrigin((context: ServiceContext) => respond(context, describe(context))),
		);
	add(RESOURCE_METADATA_ROOT, (context) => describeResource(context, ""));
	add(RESOURCE_METADATA_PATH, (context) => describeResource(context, "/mcp"));
	add(`${RESOURCE_METADATA_ROOT}/a2a/:id`, (context) =>
		describeResource(context, context.req.path.slice(RESOURCE_METADATA_ROOT.length), A2A_SCOPES),
	);
	add("/.well-known/oauth-authorization-server", describeServer);
}

/** RFC 9728, section 2. */
function describeResource(
	context: ServiceContext,
	path: string,
	scopes: readonly Scope[] = MCP_SCOPES,
): object {
	const origin = readPublicOrigin(context);
	return {
		resource: `${origin}${path}`,
		authorization_servers: [origin],
		scopes_supported: scopes,
		bearer_methods_supported: ["header"],
		resource_name: "Stemma",
	};
}

/** RFC 8414, section 2. */
function describeServer(context: ServiceContext): object {
	const origin = readPublicOrigin(context);
	return {
		issuer: origin,
		authorization_endpoint: `${origin}/oauth/authorize`,
		token_endpoint: `${origin}/oauth/token`,
		registration_endpoint: `${origin}/oauth/register`,
		revocation_endpoint: `${origin}/oauth/revoke`,
		response_types_supported: ["code"],
		response_modes_supported: ["query"],
		grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
		code_challenge_methods_supported: ["S256"],
		token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
		revocation_endpoint_auth_methods_supported: ["none"],
		authorization_response_iss_parameter_supported: true,
		client_id_metadata_document_supported: true,
		scopes_supported: SCOPES,
	};
}

/** Responds with metadata. Its addresses are taken from the request, so shared caches must not store it. */
function respond(context: ServiceContext, metadata: object): Response {
	context.header("cache-control", "private, max-age=300");
	context.header("access-control-allow-origin", "*");
	return context.json(metadata);
}
