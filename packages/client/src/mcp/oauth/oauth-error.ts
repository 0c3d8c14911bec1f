import { StemmaError, type StemmaErrorOptions } from "@stemma/core/errors";

/** Options of `McpOAuthError`. */
export interface McpOAuthErrorOptions extends StemmaErrorOptions {
	readonly oauthError?: string | undefined;
}

/**
 * The client could not get a token for an MCP server. Codes:
 *
 * - `metadata_not_found`, `metadata_invalid`: what the MCP server or its authorization server publishes of itself is
 *   missing or cannot be used; `insecure_address`: it names an address that is not HTTPS.
 * - `resource_mismatch`: the metadata is of another resource than the MCP server; `issuer_mismatch`: of another
 *   authorization server, or the redirect came from another one; `state_mismatch`: the state of the
 *   redirect does not match.
 * - `pkce_unsupported`: the authorization server does not say that it supports PKCE with S256.
 * - `client_required`: no client id is known for the authorization server, and it registers none;
 *   `registration_refused`: it did not register the client.
 * - `authorization_refused`: it redirected with an error, such as `access_denied`; `authorization_failed`: the
 *   `authorize` callback or the token store failed; `authorization_timeout`: the authorization timed out.
 * - `token_refused`: its token endpoint answered with an error; `token_invalid`: it did not issue a bearer token.
 * - `connection_failed`: no answer came from it.
 */
export class McpOAuthError extends StemmaError {
	static override get stemmaName(): string {
		return "McpOAuthError";
	}
	declare static readonly is: (error: unknown) => error is McpOAuthError;

	/** Error code of the authorization server (RFC 6749, sections 4.1.2.1 and 5.2; RFC 7591), where it sent one. */
	declare readonly oauthError?: string;

	constructor(message: string, { oauthError, ...options }: McpOAuthErrorOptions) {
		super(message, options, { oauthError });
	}
}

const MAX_DESCRIPTION_CHARACTERS = 300;

/** An error of an authorization server in words; empty where it gave none. */
export const describeOAuthError = (oauthError: string | undefined, description: string): string =>
	[oauthError, description.slice(0, MAX_DESCRIPTION_CHARACTERS)].filter(Boolean).join(": ");

/** Error codes of OAuth are of these characters; anything else is text of a third party. */
export const readOAuthError = (value: unknown): string | undefined =>
	typeof value === "string" && /^[\w.:-]{1,100}$/.test(value) ? value : undefined;
