/** Claims of a client assertion (RFC 7523, section 3). */
export interface McpClientAssertion {
	readonly iss: string;
	readonly sub: string;
	/** Issuer of the authorization server. */
	readonly aud: string;
	readonly jti: string;
	/** Epoch seconds. */
	readonly iat: number;
	readonly exp: number;
}

/** Authentication method of a client at the token endpoint. */
export type McpClientAuthMethod = "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";

/** Client that you registered at an authorization server yourself. It is used with that server alone. */
export interface McpOAuthClient {
	/** Issuer of the authorization server, exactly as MCP servers list it in `authorization_servers`. */
	readonly issuer: string;
	/** `client_id` */
	readonly id: string;
	readonly secret?: string | undefined;
	/** Signs the claims as a JWT with the client's private key, for `private_key_jwt`. */
	readonly signJwt?: ((claims: McpClientAssertion) => string | Promise<string>) | undefined;
	/** Default: what the client has a secret or key for and the authorization server supports. */
	readonly authMethod?: McpClientAuthMethod | undefined;
}

/** Client that gets tokens by its own credentials: nobody agrees to each server, so `servers` lists those that may. */
export interface McpServiceClient extends McpOAuthClient {
	/**
	 * MCP servers that get tokens of this client, as addresses (`https://mcp.example/mcp`), or as origins
	 * (`https://mcp.example`) for all addresses of one. Any MCP server can name the `issuer`: list those that you trust.
	 */
	readonly servers: readonly string[];
}

/** Client as it speaks to the token endpoint. */
export interface OAuthClient extends Pick<McpOAuthClient, "id" | "secret" | "signJwt"> {
	readonly authMethod?: string | undefined;
}
