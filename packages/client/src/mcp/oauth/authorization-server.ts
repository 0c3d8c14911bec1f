import type { JsonObject } from "@stemma/core";
import { assertUsableAddress, type HttpAddress } from "./http-address";
import { McpOAuthError } from "./oauth-error";
import type { OAuthHttp } from "./oauth-http";

/** Metadata of an authorization server (RFC 8414, OpenID Connect Discovery), as far as it is used. */
export interface AuthorizationServer {
	readonly issuer: string;
	readonly tokenEndpoint: HttpAddress;
	readonly authorizationEndpoint: HttpAddress | undefined;
	readonly registrationEndpoint: HttpAddress | undefined;
	/** Authentication methods at the token endpoint; `undefined` where the server does not list them. */
	readonly authMethods: readonly string[] | undefined;
	/** Scopes that it knows. */
	readonly scopes: readonly string[];
	/** PKCE with S256. */
	readonly supportsS256: boolean;
	/** True where its redirects always have `iss` (RFC 9207). */
	readonly sendsIssuer: boolean;
	/** Client ids may be addresses of metadata documents. */
	readonly acceptsMetadataDocuments: boolean;
}

/**
 * Finds the metadata of an authorization server, in the order that MCP 2026-07-28 lays down.
 *
 * @throws McpOAuthError `metadata_not_found`, `metadata_invalid`, `insecure_address`, `issuer_mismatch`
 */
export async function findAuthorizationServer(
	http: OAuthHttp,
	issuer: string,
	server: HttpAddress,
	signal: AbortSignal,
): Promise<AuthorizationServer> {
	const address = assertUsableAddress(issuer, "authorization_servers", server);
	for (const metadataUrl of toMetadataAddresses(address)) {
		const usable = assertUsableAddress(metadataUrl, "authorization_servers", server);
		const metadata = await http.findMetadata(usable, signal);
		if (metadata !== undefined) return readAuthorizationServer(metadata, issuer, server);
	}
	throw new McpOAuthError(`The authorization server ${issuer} publishes no metadata.`, {
		code: "metadata_not_found",
		hint: "It must serve metadata of RFC 8414 or OpenID Connect Discovery. Tell the operator of the MCP server.",
	});
}

function toMetadataAddresses({ origin, path }: HttpAddress): readonly string[] {
	const tenant = path.replace(/\/$/, "");
	const inserted = ["oauth-authorization-server", "openid-configuration"].map(
		(name) => `${origin}/.well-known/${name}${tenant}`,
	);
	return tenant === "" ? inserted : [...inserted, `${origin}${tenant}/.well-known/openid-configuration`];
}

function readAuthorizationServer(
	metadata: JsonObject,
	issuer: string,
	server: HttpAddress,
): AuthorizationServer {
	// To the letter: what serves these metadata must not speak for another authorization server.
	if (metadata.issuer !== issuer)
		throw new McpOAuthError(
			`The metadata that were found for ${issuer} are of another authorization server.`,
			{
				code: "issuer_mismatch",
				hint: "`issuer` must be exactly what the MCP server lists in `authorization_servers`. Tell its operator.",
			},
		);
	const endpoint = (field: string): HttpAddress | undefined =>
		metadata[field] === undefined ? undefined : assertUsableAddress(metadata[field], field, server);
	const tokenEndpoint = endpoint("token_endpoint");
	if (tokenEndpoint === undefined)
		throw new McpOAuthError(
			`The metadata of the authorization server ${issuer} have no \`token_endpoint\`.`,
			{
				code: "metadata_invalid",
			},
		);
	return {
		issuer,
		tokenEndpoint,
		authorizationEndpoint: endpoint("authorization_endpoint"),
		registrationEndpoint: endpoint("registration_endpoint"),
		authMethods: readStrings(metadata.token_endpoint_auth_methods_supported),
		scopes: readStrings(metadata.scopes_supported) ?? [],
		supportsS256: readStrings(metadata.code_challenge_methods_supported)?.includes("S256") ?? false,
		sendsIssuer: metadata.authorization_response_iss_parameter_supported === true,
		acceptsMetadataDocuments: metadata.client_id_metadata_document_supported === true,
	};
}

const readStrings = (value: unknown): readonly string[] | undefined =>
	Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
