import type { JsonObject } from "@stemma/core";
import { assertSecretNotExposed, rejectOption } from "../../options/client-options";
import type { McpAuth } from "../mcp-client";
import { createAuthorizationCodeGrant, type McpAuthorize } from "./authorization-code";
import { createClientCredentialsGrant } from "./client-credentials";
import type { OAuthGrant } from "./grant";
import { type HttpAddress, parseAddress } from "./http-address";
import type { McpOAuthClient, McpServiceClient } from "./oauth-client";
import { OAuthHttp } from "./oauth-http";
import { createOAuthSession, type OAuthSession } from "./oauth-session";
import { createRandomText, type RandomBytes } from "./pkce";
import { createMemoryTokenStore, type McpTokenStore } from "./token-store";

interface CommonOptions {
	/** Store for the tokens of each server. Default: in memory. */
	readonly store?: McpTokenStore | undefined;
	/** Secure random bytes, for platforms without `crypto.getRandomValues`: Node 18, React Native without a polyfill. */
	readonly randomBytes?: RandomBytes | undefined;
	/** Lets secrets of clients be used in browsers and React Native, where people can read them. Default false. */
	readonly dangerouslyAllowBrowser?: boolean | undefined;
}

/** Options of `mcpOAuth`, OAuth for MCP servers on behalf of a user. */
export interface McpOAuthOptions extends CommonOptions {
	/** The only part of an authorization that is your app's own: it opens a page, and waits for the redirect. */
	readonly authorize: McpAuthorize;
	/** `http://127.0.0.1:8976/callback`, an HTTPS page of yours, or an address of your app's own scheme. */
	readonly redirectUri: string;
	/** Clients that you registered by hand. They come before all other ways to a client id. */
	readonly clients?: readonly McpOAuthClient[] | undefined;
	/**
	 * HTTPS address of your Client ID Metadata Document, which is the client id where an authorization server supports
	 * that. The document must list `redirectUri`.
	 */
	readonly clientMetadataUrl?: string | undefined;
	/** `client_name`, `client_uri`, `logo_uri` … for dynamic registration (RFC 7591), which comes last. */
	readonly clientMetadata?: JsonObject | undefined;
	/** Time for a person to authorize, in milliseconds. Default 300,000. */
	readonly timeoutMs?: number | undefined;
}

export interface McpClientCredentialsOptions extends CommonOptions {
	/** Registered by hand, each with a `secret` or `signJwt` and the `servers` that get its tokens. */
	readonly clients: readonly McpServiceClient[];
}

const DEFAULT_TIMEOUT_MS = 300_000;

/**
 * OAuth for MCP servers that a person has to agree to: authorization code with PKCE, as MCP 2026-07-28 asks of clients. A
 * server's 401 begins it, a 403 with `insufficient_scope` asks for more scopes, and refresh tokens keep it going.
 *
 * @throws ConfigurationError for options that cannot be.
 */
export function mcpOAuth(options: McpOAuthOptions): McpAuth {
	const { authorize, redirectUri, clientMetadataUrl, clientMetadata, clients = [] } = options;
	const { timeoutMs = DEFAULT_TIMEOUT_MS, randomBytes } = options;
	const redirect = parseAddress(redirectUri);
	if (
		redirect
			? !redirect.isSecure && !redirect.isLoopback
			: !/^(?!https?:)[a-z][a-z\d+.-]*:\S+$/i.test(redirectUri)
	)
		rejectOption(
			"redirectUri",
			"must be an HTTPS address, one of this machine, or one of your app's own scheme",
		);
	const document = parseAddress(clientMetadataUrl);
	if (clientMetadataUrl !== undefined && (!document?.isSecure || /^\/?$/.test(document.path)))
		rejectOption("clientMetadataUrl", "must be an HTTPS address with a path");
	assertClients(clients, options);
	const createId = (): string => createRandomText(randomBytes);
	const grant = createAuthorizationCodeGrant({
		clients,
		authorize,
		redirectUri,
		clientMetadataUrl,
		clientMetadata,
		timeoutMs,
		createId,
	});
	return createAuth(grant, options.store);
}

/**
 * OAuth for MCP servers that trust a client of their own, without a person: client credentials (the MCP extension
 * `oauth-client-credentials`). For servers and jobs.
 *
 * @throws ConfigurationError for options that cannot be.
 */
export function mcpClientCredentials(options: McpClientCredentialsOptions): McpAuth {
	const { clients, randomBytes, store } = options;
	assertClients(clients, options);
	if (!clients.every(({ secret, signJwt }) => secret || signJwt))
		rejectOption("clients", "must each have a `secret` or `signJwt`");
	assertServers(clients);
	return createAuth(
		createClientCredentialsGrant(clients, () => createRandomText(randomBytes)),
		store,
	);
}

function assertServers(clients: readonly McpServiceClient[]): void {
	for (const [index, { servers = [] }] of clients.entries())
		if (servers.length === 0 || !servers.every(parseAddress))
			rejectOption(
				`clients[${index}].servers`,
				"must list addresses of MCP servers",
				"Pass those that get tokens of the client: `https://mcp.example/mcp`, or `https://mcp.example` for all of an origin.",
			);
}

function assertClients(clients: readonly McpOAuthClient[], { dangerouslyAllowBrowser }: CommonOptions): void {
	for (const [index, { issuer, id, secret }] of clients.entries()) {
		if (parseAddress(issuer) === undefined)
			rejectOption(
				`clients[${index}].issuer`,
				"is not an address",
				"Pass the `issuer` of the authorization server.",
			);
		if (!id) rejectOption(`clients[${index}].id`, "is missing");
		if (secret) assertSecretNotExposed(`clients[${index}].secret`, dangerouslyAllowBrowser);
	}
}

function createAuth(grant: OAuthGrant, store = createMemoryTokenStore()): McpAuth {
	const sessions = new Map<string, OAuthSession>();
	return {
		forServer(connection) {
			const { url } = connection;
			const session = sessions.get(url) ?? createOAuthSession({ url, server: readServer(url), store, grant });
			sessions.set(url, session);
			return session(new OAuthHttp(connection));
		},
	};
}

function readServer(url: string): HttpAddress {
	const server = parseAddress(url);
	if (server === undefined) rejectOption("url", "has a character that must be percent-encoded");
	if (!server.isSecure && !server.isLoopback)
		rejectOption(
			"url",
			"must be an HTTPS address, or one of this machine, for a client with `auth`",
			"Over plain HTTP, others could read the tokens.",
		);
	return server;
}
