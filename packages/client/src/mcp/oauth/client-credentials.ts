import type { OAuthGrant } from "./grant";
import { type HttpAddress, parseAddress } from "./http-address";
import type { McpServiceClient } from "./oauth-client";
import { McpOAuthError } from "./oauth-error";

/** Tokens for the client itself (OAuth 2.1, section 4.2; the MCP extension `oauth-client-credentials`). */
export function createClientCredentialsGrant(
	clients: readonly McpServiceClient[],
	createId: () => string,
): OAuthGrant {
	const findClient = (issuer: string, server: HttpAddress): McpServiceClient | undefined =>
		clients.find((client) => client.issuer === issuer && hasServer(client, server));

	return {
		clients,
		findClient: ({ issuer }, _, server) => findClient(issuer, server),
		createId,
		// Nobody is asked.
		minIntervalMs: 0,
		async authorize({ server, authorizationServer: { issuer }, resource, scope }) {
			const client = findClient(issuer, server);
			if (client === undefined)
				throw new McpOAuthError(
					`No client for the authorization server ${issuer} may get tokens for the MCP server ${server.origin}.`,
					{
						code: "client_required",
						hint: "If you trust the MCP server, pass a client in `clients` with exactly this `issuer`, and list the MCP server in its `servers`.",
					},
				);
			return { client, fields: { grant_type: "client_credentials", scope, resource }, scope };
		},
	};
}

/** The metadata that name the issuer are the MCP server's own, so that any server could ask for tokens of it. */
const hasServer = ({ servers }: McpServiceClient, { origin, path, query }: HttpAddress): boolean =>
	servers.map(parseAddress).some((listed) => {
		if (listed?.origin !== origin) return false;
		const isOrigin = /^\/?$/.test(listed.path) && listed.query === "";
		return isOrigin || (listed.path === path && listed.query === query);
	});
