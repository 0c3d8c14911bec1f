import type { AuthorizationServer } from "./authorization-server";
import type { OAuthGrant } from "./grant";
import type { McpOAuthClient } from "./oauth-client";
import { McpOAuthError } from "./oauth-error";
import { requestToken } from "./request-token";
import { joinScopes } from "./scopes";

/** Tokens for the client itself (OAuth 2.1, section 4.2; the MCP extension `oauth-client-credentials`). */
export function createClientCredentialsGrant(
	clients: readonly McpOAuthClient[],
	createId: () => string,
): OAuthGrant {
	const findClient = ({ issuer }: AuthorizationServer): McpOAuthClient | undefined =>
		clients.find((client) => client.issuer === issuer);

	return {
		clients,
		findClient,
		createId,
		async issueTokens({ http, authorizationServer, resource, scope, signal }) {
			const { issuer } = authorizationServer;
			const client = findClient(authorizationServer);
			if (client === undefined)
				throw new McpOAuthError(`The MCP server relies on ${issuer}, where no client is registered.`, {
					code: "client_required",
					hint: "Pass one in `clients` with exactly this `issuer`: credentials are sent to no other server.",
				});
			const grant = { grant_type: "client_credentials", scope, resource };
			const tokens = await requestToken({ http, authorizationServer, client, grant, createId, signal });
			return { issuer, resource, ...tokens, scope: joinScopes(scope, tokens.scope) };
		},
	};
}
