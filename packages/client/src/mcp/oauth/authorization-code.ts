import type { JsonObject } from "@stemma/core";
import { TimeoutError } from "../../errors/errors";
import { runWithTimeout } from "../../http/call-timeout";
import { encodeFormFields } from "../../http/path";
import { type McpAuthorizationResponse, readAuthorizationResponse } from "./authorization-response";
import type { AuthorizationServer } from "./authorization-server";
import type { GrantRequest, OAuthGrant, TokenGrant } from "./grant";
import type { McpOAuthClient, OAuthClient } from "./oauth-client";
import { McpOAuthError } from "./oauth-error";
import { toCodeChallenge } from "./pkce";
import { registerClient } from "./register-client";
import { hasScopes, joinScopes } from "./scopes";
import type { McpAuthorization, McpPendingAuthorization } from "./token-store";

/** Authorization that a person has to agree to. */
export interface McpAuthorizationRequest {
	/** Page of the authorization server: open it in a browser. It is an HTTPS address, and no secret is in it. */
	readonly authorizationUrl: string;
	/** Address that the page redirects to at the end. */
	readonly redirectUri: string;
	/** Comes back in the redirect. */
	readonly state: string;
	/** Aborted when nobody waits for the authorization any more: close what was opened. */
	readonly signal: AbortSignal;
}

/**
 * Takes a person to `authorizationUrl`, waits for the redirect to `redirectUri`, and gives back its address or parameters.
 * It is called with the same `state` again where the page that it was called on was left for `authorizationUrl` and then
 * loaded again, with a `store` that lasted.
 */
export type McpAuthorize = (
	request: McpAuthorizationRequest,
) => McpAuthorizationResponse | string | Promise<McpAuthorizationResponse | string>;

export interface AuthorizationCodeOptions {
	readonly clients: readonly McpOAuthClient[];
	readonly authorize: McpAuthorize;
	readonly redirectUri: string;
	readonly clientMetadataUrl: string | undefined;
	readonly clientMetadata: JsonObject | undefined;
	readonly timeoutMs: number;
	readonly createId: () => string;
}

/** Known by its address, by hand, or registered at the authorization server. */
interface ChosenClient extends OAuthClient {
	readonly registered?: McpAuthorization["client"];
}

/** A pending authorization that is older than this is started again. */
const MAX_PENDING_MS = 10 * 60_000;
/** A server that refuses fresh tokens must not open a page for each call. */
const MIN_INTERVAL_MS = 60_000;

/** Authorization code with PKCE (OAuth 2.1, section 4.1), as MCP 2026-07-28 asks of clients. */
export function createAuthorizationCodeGrant(options: AuthorizationCodeOptions): OAuthGrant {
	const { clients, redirectUri, createId } = options;

	async function authorize(request: GrantRequest): Promise<TokenGrant> {
		const { authorizationServer, resource, load, save, signal } = request;
		const authorizationEndpoint = assertSupported(authorizationServer);
		const { registered, ...client } = await chooseClient(options, request);
		const scope = withOfflineAccess(request.scope, authorizationServer);
		const stored = await load();
		const pending = openPending(options, stored?.pending, client.id, scope);
		await save({ ...stored, issuer: authorizationServer.issuer, resource, client: registered, pending });
		const { state, codeVerifier } = pending;
		const authorizationUrl = toAuthorizationUrl(authorizationEndpoint, pending, resource);
		const response = await waitForRedirect(options, { authorizationUrl, redirectUri, state }, signal);
		// Whatever the redirect says, it is answered: the request is not used again.
		const now = await load();
		if (now?.pending?.state === state) await save({ ...now, pending: undefined });
		const code = readAuthorizationResponse(response, { ...authorizationServer, state });
		const fields = {
			grant_type: "authorization_code",
			code,
			redirect_uri: redirectUri,
			code_verifier: codeVerifier,
			resource,
		};
		return { client, registered, fields, scope: pending.scope };
	}

	return {
		clients,
		minIntervalMs: MIN_INTERVAL_MS,
		findClient: (authorizationServer, stored) => findClient(options, authorizationServer, stored),
		authorize,
		createId,
	};
}

/**
 * Finds the client to use, in the order of MCP 2026-07-28: registered by hand, metadata document, registered
 * before.
 */
function findClient(
	{ clients, redirectUri, clientMetadataUrl }: AuthorizationCodeOptions,
	{ issuer, acceptsMetadataDocuments }: AuthorizationServer,
	stored: McpAuthorization | undefined,
): ChosenClient | undefined {
	const preRegistered = clients.find((client) => client.issuer === issuer);
	if (preRegistered !== undefined) return preRegistered;
	if (clientMetadataUrl !== undefined && acceptsMetadataDocuments)
		return { id: clientMetadataUrl, authMethod: "none" };
	const registered = stored?.client;
	const isUsable =
		registered?.redirectUri === redirectUri &&
		Date.now() < (registered.secretExpiresAt ?? Number.POSITIVE_INFINITY);
	return isUsable ? { ...registered, registered } : undefined;
}

async function chooseClient(options: AuthorizationCodeOptions, request: GrantRequest): Promise<ChosenClient> {
	const { redirectUri, clientMetadata } = options;
	const { http, authorizationServer, load, signal } = request;
	const { issuer, registrationEndpoint } = authorizationServer;
	const existing = findClient(options, authorizationServer, await load());
	if (existing !== undefined) return existing;
	if (registrationEndpoint === undefined) throw createClientRequiredError(issuer, redirectUri);
	const registered = await registerClient({
		http,
		authorizationServer,
		registrationEndpoint,
		redirectUri,
		clientMetadata,
		signal,
	});
	return { ...registered, registered };
}

/** The request that is still open, after its page was loaded again; else another one. */
function openPending(
	{ redirectUri, createId }: AuthorizationCodeOptions,
	pending: McpPendingAuthorization | undefined,
	clientId: string,
	scope: string | undefined,
): McpPendingAuthorization {
	const isOpen =
		pending?.clientId === clientId &&
		pending.redirectUri === redirectUri &&
		hasScopes(pending.scope, scope) &&
		Date.now() - pending.createdAt < MAX_PENDING_MS;
	if (isOpen) return pending;
	return {
		state: createId(),
		codeVerifier: createId(),
		clientId,
		redirectUri,
		scope,
		createdAt: Date.now(),
	};
}

/** @throws McpOAuthError before anybody is asked for anything. */
function assertSupported({ issuer, authorizationEndpoint, supportsS256 }: AuthorizationServer): string {
	if (!supportsS256)
		throw new McpOAuthError(
			`The authorization server ${issuer} does not say that it supports PKCE with S256.`,
			{
				code: "pkce_unsupported",
				hint: "Its metadata must list `S256` in `code_challenge_methods_supported`. Without PKCE, others could use the code.",
			},
		);
	if (authorizationEndpoint !== undefined) return authorizationEndpoint.href;
	throw new McpOAuthError(`The metadata of ${issuer} have no \`authorization_endpoint\`.`, {
		code: "metadata_invalid",
		hint: "If it issues tokens only to clients, use `mcpClientCredentials`.",
	});
}

const createClientRequiredError = (issuer: string, redirectUri: string): McpOAuthError =>
	new McpOAuthError(
		`No client id is known for the authorization server ${issuer}, and it registers no clients.`,
		{
			code: "client_required",
			hint: `Register a client there with the redirect URI ${redirectUri}, and pass it in \`clients\` with exactly this \`issuer\`.`,
		},
	);

const OFFLINE_ACCESS = "offline_access";

/** Asks for a refresh token, where the authorization server has a scope for that. */
const withOfflineAccess = (scope: string | undefined, { scopes }: AuthorizationServer): string | undefined =>
	scope && scopes.includes(OFFLINE_ACCESS) ? joinScopes(scope, OFFLINE_ACCESS) : scope;

function toAuthorizationUrl(
	endpoint: string,
	{ state, codeVerifier, clientId, redirectUri, scope }: McpPendingAuthorization,
	resource: string,
): string {
	const fields = encodeFormFields({
		response_type: "code",
		client_id: clientId,
		redirect_uri: redirectUri,
		scope,
		state,
		code_challenge: toCodeChallenge(codeVerifier),
		code_challenge_method: "S256",
		resource,
		// OpenID Connect ignores the scope without it (Core 1.0, section 11).
		prompt: hasScopes(scope, OFFLINE_ACCESS) ? "consent" : undefined,
	});
	return `${endpoint}${endpoint.includes("?") ? "&" : "?"}${fields}`;
}

async function waitForRedirect(
	{ authorize, timeoutMs }: AuthorizationCodeOptions,
	request: Omit<McpAuthorizationRequest, "signal">,
	signal: AbortSignal,
): Promise<McpAuthorizationResponse | string> {
	try {
		return await runWithTimeout({ timeoutMs }, signal, (limit) =>
			limit.wait(Promise.resolve().then(() => authorize({ ...request, signal: limit.signal }))),
		);
	} catch (error) {
		if (!TimeoutError.is(error)) throw error;
		throw new McpOAuthError(`The authorization timed out after ${timeoutMs} ms.`, {
			code: "authorization_timeout",
			hint: "If the authorization may take longer, raise `timeoutMs`.",
		});
	}
}
