import type { AuthorizationServer } from "./authorization-server";
import type { HttpAddress } from "./http-address";
import type { McpOAuthClient, OAuthClient } from "./oauth-client";
import type { OAuthHttp } from "./oauth-http";
import type { McpAuthorization, McpRegisteredClient } from "./token-store";

/** Request for new tokens: the resource, the scope, and the stored state. */
export interface GrantRequest {
	readonly http: OAuthHttp;
	/** Address of the MCP server. */
	readonly server: HttpAddress;
	readonly resource: string;
	readonly authorizationServer: AuthorizationServer;
	readonly scope: string | undefined;
	/** Loads the current state that is stored for the same resource and issuer; other processes may have changed it. */
	readonly load: () => Promise<McpAuthorization | undefined>;
	readonly save: (authorization: McpAuthorization) => Promise<void>;
	readonly signal: AbortSignal;
}

/** Grant to exchange at the token endpoint. */
export interface TokenGrant {
	readonly client: OAuthClient;
	/** Registration of the same client, where it was registered dynamically. */
	readonly registered?: McpRegisteredClient | undefined;
	/** Fields of the token request; `undefined` ones are left out. */
	readonly fields: Readonly<Record<string, string | undefined>>;
	readonly scope: string | undefined;
}

/** A way to tokens: with a person who agrees, or with the client's own credentials. */
export interface OAuthGrant {
	/** Registered by hand, each for its own authorization server. */
	readonly clients: readonly McpOAuthClient[];
	/**
	 * Minimum time between authorizations, in milliseconds: for so long, tokens that were just issued are kept even if
	 * the MCP server refuses them.
	 */
	readonly minIntervalMs: number;
	/** The client that the stored tokens were issued to, to refresh them with. */
	findClient(
		authorizationServer: AuthorizationServer,
		stored: McpAuthorization,
		server: HttpAddress,
	): OAuthClient | undefined;
	/** @throws McpOAuthError */
	authorize(request: GrantRequest): Promise<TokenGrant>;
	createId(): string;
}
