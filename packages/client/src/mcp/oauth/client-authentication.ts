import { toBase64 } from "../base64";
import type { AuthorizationServer } from "./authorization-server";
import type { OAuthClient } from "./oauth-client";
import { McpOAuthError } from "./oauth-error";

/** Header and fields that authenticate the client at the token endpoint. */
export interface ClientAuthentication {
	readonly fields: Readonly<Record<string, string>>;
	readonly headers: Readonly<Record<string, string>>;
	/** Secrets to redact. */
	readonly secrets: readonly (string | undefined)[];
}

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const ASSERTION_LIFETIME_SECONDS = 60;

/**
 * Authenticates a client at the token endpoint (RFC 6749, section 2.3; RFC 7523).
 *
 * @param createId - a random text, for `jti`.
 * @throws McpOAuthError `client_required` for a method that the client has no secret or key for.
 */
export async function authenticateClient(
	client: OAuthClient,
	{ issuer, authMethods }: AuthorizationServer,
	createId: () => string,
): Promise<ClientAuthentication> {
	const { id, secret, signJwt } = client;
	const method = client.authMethod ?? chooseMethod(client, authMethods);
	if (method === "none") return { fields: { client_id: id }, headers: {}, secrets: [] };
	if (method === "private_key_jwt" && signJwt !== undefined) {
		const iat = Math.floor(Date.now() / 1000);
		const exp = iat + ASSERTION_LIFETIME_SECONDS;
		const assertion = await signJwt({ iss: id, sub: id, aud: issuer, jti: createId(), iat, exp });
		const fields = { client_id: id, client_assertion_type: ASSERTION_TYPE, client_assertion: assertion };
		return { fields, headers: {}, secrets: [assertion] };
	}
	if (method === "client_secret_post" && secret !== undefined)
		return {
			fields: { client_id: id, client_secret: secret },
			headers: {},
			secrets: toEncodedVariants(secret),
		};
	if (method === "client_secret_basic" && secret !== undefined) {
		const basic = toBase64(Array.from(`${encode(id)}:${encode(secret)}`, (one) => one.charCodeAt(0)));
		const secrets = [...toEncodedVariants(secret), basic];
		return { fields: {}, headers: { authorization: `Basic ${basic}` }, secrets };
	}
	throw new McpOAuthError(
		`The client cannot authenticate at ${issuer} by ${JSON.stringify(method.slice(0, 40))}.`,
		{
			code: "client_required",
			hint: "Give the client its `secret`, or `signJwt` for `private_key_jwt`.",
		},
	);
}

/** @param supported - by RFC 8414, an authorization server that does not say supports `client_secret_basic`. */
function chooseMethod(
	{ secret, signJwt }: OAuthClient,
	supported: AuthorizationServer["authMethods"] = ["client_secret_basic"],
): string {
	if (signJwt !== undefined) return "private_key_jwt";
	if (secret === undefined) return "none";
	return supported.includes("client_secret_post") && !supported.includes("client_secret_basic")
		? "client_secret_post"
		: "client_secret_basic";
}

/** Encodes text as a form does (RFC 6749, appendix B). */
const encode = (text: string): string =>
	encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

export const toEncodedVariants = (secret: string): readonly string[] => [
	secret,
	encode(secret),
	encodeURIComponent(secret),
	encode(secret).replaceAll("%20", "+"),
];
