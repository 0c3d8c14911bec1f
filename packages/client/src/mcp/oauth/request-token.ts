import { omitUndefined } from "@stemma/core/internal";
import { isVisibleAscii, redact } from "../../auth/credential";
import type { AuthorizationServer } from "./authorization-server";
import { authenticateClient, toEncodedVariants } from "./client-authentication";
import type { OAuthClient } from "./oauth-client";
import { describeOAuthError, McpOAuthError, readOAuthError } from "./oauth-error";
import type { OAuthHttp, OAuthResponse } from "./oauth-http";

/** Request to the token endpoint of an authorization server. */
export interface TokenRequest {
	readonly http: OAuthHttp;
	readonly authorizationServer: AuthorizationServer;
	readonly client: OAuthClient;
	/** Fields of the grant; what is `undefined` is left out. */
	readonly grant: Readonly<Record<string, string | undefined>>;
	readonly createId: () => string;
	readonly signal: AbortSignal;
}

/** Tokens as they were issued. */
export interface IssuedTokens {
	readonly accessToken: string;
	/** Epoch milliseconds. */
	readonly expiresAt?: number;
	readonly refreshToken?: string;
	readonly scope?: string;
}

/**
 * Asks a token endpoint for tokens (RFC 6749, section 3.2).
 *
 * @throws McpOAuthError `token_refused` with the server's own code in `oauthError`, `token_invalid`, `connection_failed`
 */
export async function requestToken(request: TokenRequest): Promise<IssuedTokens> {
	const { http, authorizationServer, client, grant, createId, signal } = request;
	const { issuer, tokenEndpoint } = authorizationServer;
	const authentication = await authenticateClient(client, authorizationServer, createId);
	const { fields, headers } = authentication;
	const { code = "", code_verifier = "", refresh_token = "" } = grant;
	const secrets = [
		...authentication.secrets,
		...[code, code_verifier, refresh_token].flatMap(toEncodedVariants),
	];
	const body = { fields: omitUndefined({ ...grant, ...fields }), headers };
	const response = await http.post(tokenEndpoint, body, signal, secrets);
	if (response.status !== 200) throw createTokenError(issuer, response, secrets);
	return readTokens(response, issuer);
}

function createTokenError(
	issuer: string,
	{ status, body = {} }: OAuthResponse,
	secrets: readonly (string | undefined)[],
): McpOAuthError {
	const oauthError = readOAuthError(body.error);
	const description = typeof body.error_description === "string" ? body.error_description : "";
	const reason = describeOAuthError(oauthError, redact(description, secrets));
	return new McpOAuthError(
		`The authorization server ${issuer} refuses to issue a token (HTTP ${status}${reason && `, ${reason}`}).`,
		{
			code: "token_refused",
			oauthError,
			hint:
				oauthError === "invalid_client"
					? "Check the id and the secret of the client, and its registration there."
					: undefined,
		},
	);
}

function readTokens({ body = {} }: OAuthResponse, issuer: string): IssuedTokens {
	const { access_token, token_type, expires_in, refresh_token, scope } = body;
	if (
		!isVisibleAscii(access_token) ||
		typeof token_type !== "string" ||
		token_type.toLowerCase() !== "bearer"
	)
		throw new McpOAuthError(`The authorization server ${issuer} did not issue a bearer token.`, {
			code: "token_invalid",
		});
	const seconds = Number(expires_in);
	return {
		accessToken: access_token,
		...(seconds > 0 && { expiresAt: Date.now() + seconds * 1000 }),
		...(isVisibleAscii(refresh_token) && { refreshToken: refresh_token }),
		...(typeof scope === "string" && scope !== "" && { scope }),
	};
}
