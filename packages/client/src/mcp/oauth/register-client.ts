import type { JsonObject } from "@stemma/core";
import type { AuthorizationServer } from "./authorization-server";
import { type HttpAddress, parseAddress } from "./http-address";
import { McpOAuthError, readOAuthError } from "./oauth-error";
import type { OAuthHttp } from "./oauth-http";
import type { McpRegisteredClient } from "./token-store";

/** Input of dynamic client registration (RFC 7591). */
export interface Registration {
	readonly http: OAuthHttp;
	readonly authorizationServer: AuthorizationServer;
	readonly registrationEndpoint: HttpAddress;
	readonly redirectUri: string;
	/** Metadata of the client besides what is required (RFC 7591, section 2). */
	readonly clientMetadata: JsonObject | undefined;
	readonly signal: AbortSignal;
}

/**
 * Authentication methods of a client that no person registered, in order of preference; the first that the server
 * supports is used.
 */
const AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"] as const;

/**
 * Registers the client dynamically (RFC 7591).
 *
 * @throws McpOAuthError `registration_refused`
 */
export async function registerClient(registration: Registration): Promise<McpRegisteredClient> {
	const { http, authorizationServer, registrationEndpoint, redirectUri, clientMetadata, signal } =
		registration;
	const { issuer, authMethods } = authorizationServer;
	const authMethod = AUTH_METHODS.find((method) => authMethods?.includes(method) ?? true) ?? AUTH_METHODS[0];
	const { status, body = {} } = await http.post(
		registrationEndpoint,
		{
			json: {
				client_name: "Stemma",
				...clientMetadata,
				redirect_uris: [redirectUri],
				grant_types: ["authorization_code", "refresh_token"],
				response_types: ["code"],
				token_endpoint_auth_method: authMethod,
				application_type: isWebPage(redirectUri) ? "web" : "native",
			},
		},
		signal,
	);
	const { client_id, client_secret, client_secret_expires_at, token_endpoint_auth_method } = body;
	if (status >= 300 || typeof client_id !== "string" || client_id === "")
		throw createRegistrationError(issuer, status, redirectUri, body);
	return {
		id: client_id,
		redirectUri,
		authMethod: typeof token_endpoint_auth_method === "string" ? token_endpoint_auth_method : authMethod,
		...(typeof client_secret === "string" && client_secret !== "" && { secret: client_secret }),
		...(Number(client_secret_expires_at) > 0 && { secretExpiresAt: Number(client_secret_expires_at) * 1000 }),
	};
}

/** Pages on this machine and schemes of apps count as native. */
const isWebPage = (redirectUri: string): boolean => parseAddress(redirectUri)?.isLoopback === false;

function createRegistrationError(
	issuer: string,
	status: number,
	redirectUri: string,
	{ error }: JsonObject,
): McpOAuthError {
	const oauthError = readOAuthError(error);
	return new McpOAuthError(
		`The authorization server ${issuer} did not register the client (HTTP ${status}${oauthError ? `, ${oauthError}` : ""}).`,
		{
			code: "registration_refused",
			oauthError,
			hint: `It may not accept the redirect URI ${redirectUri}. Register a client there by hand, and pass it in \`clients\`.`,
		},
	);
}
