/**
 * Stored authorization for one MCP server, as plain JSON. It holds secrets: keep it where this user alone can read it.
 */
export interface McpAuthorization {
	/** Authorization server that issued all of this; nothing of it is sent to another one. */
	readonly issuer: string;
	/** Identifier of the MCP server that the tokens are for (RFC 8707). */
	readonly resource: string;
	/** Scopes that were requested or granted so far, separated by spaces. */
	readonly scope?: string | undefined;
	readonly accessToken?: string | undefined;
	/** Epoch milliseconds; missing where the authorization server does not say. */
	readonly expiresAt?: number | undefined;
	readonly refreshToken?: string | undefined;
	/** Client that was registered dynamically at the issuer. */
	readonly client?: McpRegisteredClient | undefined;
	/** Authorization request whose redirect has not come back yet. */
	readonly pending?: McpPendingAuthorization | undefined;
}

/** Client that an authorization server registered (RFC 7591). */
export interface McpRegisteredClient {
	readonly id: string;
	readonly secret?: string | undefined;
	/** Epoch milliseconds. */
	readonly secretExpiresAt?: number | undefined;
	/** Authentication method at the token endpoint: `none`, `client_secret_basic` … */
	readonly authMethod?: string | undefined;
	/** Redirect address that the client was registered for. */
	readonly redirectUri: string;
}

/** Authorization request that waits for its redirect. */
export interface McpPendingAuthorization {
	readonly state: string;
	/** Code verifier of PKCE (RFC 7636). */
	readonly codeVerifier: string;
	readonly clientId: string;
	readonly redirectUri: string;
	readonly scope?: string | undefined;
	/** Epoch milliseconds. */
	readonly createdAt: number;
}

/**
 * Store of the tokens between runs of the app, for each MCP server by the `url` that the client was created with.
 * Default: in memory. An implementation may write JSON to a file that the user alone can read, to the keychain, or to
 * `sessionStorage`.
 */
export interface McpTokenStore {
	get(server: string): McpAuthorization | undefined | Promise<McpAuthorization | undefined>;
	set(server: string, authorization: McpAuthorization): void | Promise<void>;
	delete(server: string): void | Promise<void>;
}

/** Store that lasts as long as the process. */
export function createMemoryTokenStore(): McpTokenStore {
	const stored = new Map<string, McpAuthorization>();
	return {
		get: (server) => stored.get(server),
		set: (server, authorization) => void stored.set(server, authorization),
		delete: (server) => void stored.delete(server),
	};
}
