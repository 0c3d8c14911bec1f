import type { AuthorizationServer } from "./authorization-server";
import type { HttpAddress } from "./http-address";
import type { McpOAuthClient, OAuthClient } from "./oauth-client";
import type { OAuthHttp } from "./oauth-http";
import type { McpAuthorization } from "./token-store";

/** What tokens are asked for, and what is known when they are. */
export interface GrantRequest {
	readonly http: OAuthHttp;
	/** The MCP server. */
	readonly server: HttpAddress;
	readonly resource: string;
	readonly authorizationServer: AuthorizationServer;
	readonly scope: string | undefined;
	/** What is kept of the same resource and issuer. */
	readonly kept: McpAuthorization | undefined;
	readonly save: (authorization: McpAuthorization) => Promise<void>;
	readonly signal: AbortSignal;
}

/** A way to tokens: with a person who agrees, or with the client's own credentials. */
export interface OAuthGrant {
	/** Registered by hand, each for its own authorization server. */
	readonly clients: readonly McpOAuthClient[];
	/** The client that the kept tokens were issued to, to refresh them with. */
	findClient(
		authorizationServer: AuthorizationServer,
		kept: McpAuthorization,
		server: HttpAddress,
	): OAuthClient | undefined;
	/** @throws McpOAuthError */
	issueTokens(request: GrantRequest): Promise<McpAuthorization>;
	createId(): string;
}
