import type { JsonObject } from "@stemma/core";
import { assertUsableAddress, type HttpAddress, parseAddress } from "./http-address";
import { McpOAuthError } from "./oauth-error";
import type { OAuthHttp } from "./oauth-http";

/** Metadata that an MCP server publishes for authorization (RFC 9728). */
export interface ProtectedResource {
	/** Identifier that tokens are asked for with, exactly as it is published. */
	readonly resource: string;
	/** Issuers, at least one. */
	readonly authorizationServers: readonly string[];
	/** Scopes that basic use needs; `undefined` where it does not say. */
	readonly scope: string | undefined;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/**
 * Finds the metadata of an MCP server: at the address of its challenge; without one, at the well-known address for its
 * path, then at that of its origin.
 *
 * @param metadataUrl - `resource_metadata` of the challenge.
 * @throws McpOAuthError `metadata_not_found`, `metadata_invalid`, `insecure_address`, `resource_mismatch`
 */
export async function findProtectedResource(
	http: OAuthHttp,
	server: HttpAddress,
	metadataUrl: string | undefined,
	signal: AbortSignal,
): Promise<ProtectedResource> {
	const root = `${server.origin}${WELL_KNOWN}`;
	const candidates =
		metadataUrl === undefined
			? [...new Set([`${root}${server.path.replace(/^\/$/, "")}`, root])]
			: [metadataUrl];
	for (const candidate of candidates) {
		const address = assertUsableAddress(candidate, "resource_metadata", server);
		const metadata = await http.findMetadata(address, signal);
		if (metadata === undefined) continue;
		const isOfOrigin = `${address.origin}${address.path}${address.query}` === root;
		return readProtectedResource(metadata, server, isOfOrigin);
	}
	throw new McpOAuthError(
		`The MCP server ${server.origin} asks for a credential, and publishes no OAuth metadata of a protected resource.`,
		{
			code: "metadata_not_found",
			hint: `Nothing usable was found at ${candidates.map(withoutQuery).join(" and ")}. Ask its operator for a token, and pass it as \`token\`.`,
		},
	);
}

const withoutQuery = (address: string): string => address.split("?", 1).join("");

function readProtectedResource(
	{ resource, authorization_servers: servers, scopes_supported: scopes }: JsonObject,
	server: HttpAddress,
	isOfOrigin: boolean,
): ProtectedResource {
	if (typeof resource !== "string" || !isResourceOf(resource, server, isOfOrigin))
		throw new McpOAuthError(
			`The metadata of the MCP server ${server.origin} is of another resource, so its tokens would not be for this server.`,
			{
				code: "resource_mismatch",
				hint: "Use the address that the metadata name in `resource`, or ask the operator of the server to correct them.",
			},
		);
	const issuers = Array.isArray(servers) ? servers.filter((one) => typeof one === "string") : [];
	if (issuers.length === 0)
		throw new McpOAuthError(`The metadata of the MCP server ${server.origin} name no authorization server.`, {
			code: "metadata_invalid",
			hint: "The operator of the server must list one in `authorization_servers`.",
		});
	return {
		resource,
		authorizationServers: issuers,
		scope: Array.isArray(scopes) ? scopes.filter(isScope).join(" ") : undefined,
	};
}

/** Characters of RFC 6749, section 3.3. */
const isScope = (scope: unknown): scope is string =>
	typeof scope === "string" && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope);

/**
 * The resource must be the server itself (RFC 9728, section 3.3). The metadata of an origin may also be of the whole origin,
 * or of a path above the server: who serves them serves the origin.
 */
function isResourceOf(resource: string, server: HttpAddress, isOfOrigin: boolean): boolean {
	const { origin, path, query } = parseAddress(resource) ?? {};
	if (path === undefined || origin !== server.origin || (query !== "" && query !== server.query))
		return false;
	const own = `${server.path.replace(/\/$/, "")}/`;
	const theirs = `${path.replace(/\/$/, "")}/`;
	return isOfOrigin ? own.startsWith(theirs) : own === theirs;
}
