import { ConfigurationError } from "@stemma/core/errors";
import { singleFlight } from "@stemma/core/internal";
import { type Credential, type ErrorResponse, redact } from "../../auth/credential";
import { header } from "../../http/response";
import { isInsufficientScope, readBearerChallenge } from "../protocol/challenge";
import { type AuthorizationServer, findAuthorizationServer } from "./authorization-server";
import { toEncodedVariants } from "./client-authentication";
import { ExchangeQueue } from "./exchange-queue";
import type { GrantRequest, OAuthGrant, TokenGrant } from "./grant";
import type { HttpAddress } from "./http-address";
import type { OAuthClient } from "./oauth-client";
import { McpOAuthError } from "./oauth-error";
import type { OAuthHttp } from "./oauth-http";
import { findProtectedResource, type ProtectedResource } from "./protected-resource";
import { type IssuedTokens, requestToken } from "./request-token";
import { hasScopes, joinScopes } from "./scopes";
import { StoredAuthorization } from "./stored-authorization";
import type { McpAuthorization, McpTokenStore } from "./token-store";

/** Options of an OAuth session: the tokens of one server, stored, refreshed, and requested after a refusal. */
export interface OAuthSessionOptions {
	/** Address of the MCP server, as the client was created with it: the key of the store. */
	readonly url: string;
	readonly server: HttpAddress;
	readonly store: McpTokenStore;
	readonly grant: OAuthGrant;
}

/** The credential of one client. What its requests to authorization servers go over may differ from client to client. */
export type OAuthSession = (http: OAuthHttp) => Credential;

/** A token is refreshed ahead of its end. */
const REFRESH_AHEAD_MS = 10_000;
/**
 * Maximum number of authorization failures of one request: one for a refresh, one for an authorization, and one for
 * more scopes.
 */
const MAX_AUTH_FAILURES = 3;

const isAuthFailure = (status: number): boolean => status === 401 || status === 403;

const isFresh = ({ expiresAt = Number.POSITIVE_INFINITY }: McpAuthorization, aheadMs = 0): boolean =>
	Date.now() + aheadMs < expiresAt;

const toHeader = (stored: McpAuthorization | undefined): string | undefined =>
	stored?.accessToken && `Bearer ${stored.accessToken}`;

const hasOAuthError = (error: unknown, code: string): boolean =>
	McpOAuthError.is(error) && error.oauthError === code;

/** Tokens for one MCP server, for all its clients: stored, refreshed, and asked for when the server refuses a request. */
export function createOAuthSession({ url, server, store, grant }: OAuthSessionOptions): OAuthSession {
	const { clients } = grant;
	const stored = new StoredAuthorization(store, url, server);
	const tokens = new ServerTokens(server, grant, stored);
	return (http) => ({
		authorization: (signal = new AbortController().signal) =>
			wrapErrors(() => tokens.authorize(http, signal), signal),
		renew: async (errorResponse) =>
			isAuthFailure(errorResponse.response.status) &&
			errorResponse.attempt <= MAX_AUTH_FAILURES &&
			wrapErrors(() => tokens.reauthorize(errorResponse.signal, [http, errorResponse]), errorResponse.signal),
		redact: (text) =>
			redact(text, [
				...stored.secrets,
				...clients.flatMap(({ secret }) => (secret ? toEncodedVariants(secret) : [])),
			]),
	});
}

/** The tokens of one MCP server. */
class ServerTokens {
	readonly #server: HttpAddress;
	readonly #grant: OAuthGrant;
	readonly #stored: StoredAuthorization;
	readonly #exchanges = new ExchangeQueue<McpAuthorization | undefined>();
	/**
	 * Authorization header of the token that a new authorization issued last: a server that refuses it would refuse the
	 * next one as well.
	 */
	#lastIssued: string | undefined;
	/** Epoch milliseconds until which that holds for tokens that it was refreshed to, and in other calls. */
	#reauthorizeAfter = 0;

	/** Gets a new token after a refusal, once for all calls that need it; `false` where that would not help. */
	readonly reauthorize = singleFlight((signal, refusal: readonly [OAuthHttp, ErrorResponse]) =>
		this.#getNewToken(signal, refusal),
	);

	constructor(server: HttpAddress, grant: OAuthGrant, stored: StoredAuthorization) {
		this.#server = server;
		this.#grant = grant;
		this.#stored = stored;
	}

	/** Returns the header of a stored token, refreshed if its end is near. */
	async authorize(http: OAuthHttp, signal: AbortSignal): Promise<string | undefined> {
		const stored = await this.#stored.load();
		if (stored?.accessToken === undefined || isFresh(stored, REFRESH_AHEAD_MS)) return toHeader(stored);
		const last = isFresh(stored) ? stored : undefined;
		if (stored.refreshToken === undefined) return toHeader(last);
		try {
			return toHeader((await this.refresh(http, signal, stored.accessToken)) ?? last);
		} catch (error) {
			if (last === undefined || signal.aborted) throw error;
			return toHeader(last);
		}
	}

	/** @param stale - the access token that is to be replaced; another call or process may have done so. */
	async #refreshTokens(http: OAuthHttp, stale: string | undefined): Promise<McpAuthorization | undefined> {
		const stored = await this.#stored.load();
		if (stored?.accessToken !== undefined && stored.accessToken !== stale) return stored;
		const { refreshToken: refresh_token, issuer, resource } = stored ?? {};
		if (stored === undefined || refresh_token === undefined || issuer === undefined) return undefined;
		const { signal } = new AbortController();
		const authorizationServer = await findAuthorizationServer(http, issuer, this.#server, signal);
		const client = this.#grant.findClient(authorizationServer, stored, this.#server);
		if (client === undefined) return undefined;
		const fields = { grant_type: "refresh_token", refresh_token, resource };
		try {
			const tokens = await this.#requestToken(http, authorizationServer, client, fields);
			const scope = joinScopes(stored.scope, tokens.scope);
			const refreshed = { ...stored, expiresAt: undefined, ...tokens, scope };
			await this.#stored.save(refreshed);
			return refreshed;
		} catch (error) {
			if (!McpOAuthError.is(error) || error.code !== "token_refused") throw error;
			const now = await this.#stored.load();
			// Another process was faster.
			if (now?.refreshToken !== refresh_token) return now;
			const tokens = { accessToken: undefined, expiresAt: undefined, refreshToken: undefined };
			await this.#stored.save({
				...now,
				...tokens,
				...(hasOAuthError(error, "invalid_client") && { client: undefined }),
			});
			return undefined;
		}
	}

	/**
	 * Refreshes the tokens once for all calls that need it: servers that rotate refresh tokens treat one that is used
	 * twice as stolen.
	 */
	refresh(
		http: OAuthHttp,
		signal: AbortSignal,
		stale: string | undefined,
	): Promise<McpAuthorization | undefined> {
		return this.#exchanges.share(signal, () => this.#refreshTokens(http, stale));
	}

	async #exchange(
		{ http, authorizationServer, resource }: GrantRequest,
		{ client, registered, fields, scope }: TokenGrant,
	): Promise<McpAuthorization> {
		try {
			const tokens = await this.#requestToken(http, authorizationServer, client, fields);
			const { issuer } = authorizationServer;
			const merged = joinScopes(scope, tokens.scope);
			const issued = { issuer, resource, client: registered, ...tokens, scope: merged };
			this.#lastIssued = toHeader(issued);
			this.#reauthorizeAfter = Math.min(
				Date.now() + this.#grant.minIntervalMs,
				tokens.expiresAt ?? Number.POSITIVE_INFINITY,
			);
			await this.#stored.save(issued);
			return issued;
		} catch (error) {
			const stored = hasOAuthError(error, "invalid_client") ? await this.#stored.load() : undefined;
			// The next authorization registers it again.
			if (stored?.client) await this.#stored.save({ ...stored, client: undefined });
			throw error;
		}
	}

	/** Runs to its end: an answer that is lost takes with it what the request used up. */
	#requestToken(
		http: OAuthHttp,
		authorizationServer: AuthorizationServer,
		client: OAuthClient,
		grant: TokenGrant["fields"],
	): Promise<IssuedTokens> {
		const { createId } = this.#grant;
		const { signal } = new AbortController();
		return requestToken({ http, authorizationServer, client, grant, createId, signal });
	}

	async #issue(
		http: OAuthHttp,
		{ resource, authorizationServers }: ProtectedResource,
		scope: string | undefined,
		stored: McpAuthorization | undefined,
		signal: AbortSignal,
	): Promise<boolean> {
		const hasClient = (issuer: string): boolean =>
			this.#grant.clients.some((client) => client.issuer === issuer);
		const [first = ""] = authorizationServers;
		const issuer = authorizationServers.find(hasClient) ?? stored?.issuer ?? first;
		const authorizationServer = await findAuthorizationServer(http, issuer, this.#server, signal);
		const loadOwn = async (): Promise<McpAuthorization | undefined> => {
			const now = await this.#stored.load();
			return now?.issuer === issuer && now.resource === resource ? now : undefined;
		};
		const request = {
			http,
			server: this.#server,
			resource,
			authorizationServer,
			scope,
			load: loadOwn,
			save: (authorization: McpAuthorization) => this.#stored.save(authorization),
			signal,
		};
		const granted = await this.#grant.authorize(request);
		await this.#exchanges.add(signal, () => this.#exchange(request, granted));
		return true;
	}

	async #getNewToken(
		signal: AbortSignal,
		[http, errorResponse]: readonly [OAuthHttp, ErrorResponse],
	): Promise<boolean> {
		const { response, authorization, attempt } = errorResponse;
		const { status } = response;
		const challenge = readBearerChallenge(header(response, "www-authenticate"));
		// Of a call that was cancelled meanwhile.
		await this.#exchanges.waitUntilIdle(signal);
		const loaded = await this.#stored.load();
		const current = loaded && isFresh(loaded) ? toHeader(loaded) : undefined;
		// Replaced since the request went out.
		if (current !== undefined && current !== authorization) return true;
		const isStepUp = isInsufficientScope(status, challenge);
		if (!isStepUp && (status !== 401 || (attempt > 1 && authorization === this.#lastIssued))) return false;
		const metadataUrl = challenge.get("resource_metadata");
		const protectedResource = await findProtectedResource(http, this.#server, metadataUrl, signal);
		const isSame =
			loaded?.resource === protectedResource.resource &&
			protectedResource.authorizationServers.includes(loaded.issuer);
		const stored = isSame ? loaded : undefined;
		const requestedScope = challenge.get("scope") ?? protectedResource.scope;
		// What was asked for before, and not granted or not enough, is not asked for again.
		if (isStepUp && hasScopes(stored?.scope, requestedScope)) return false;
		if (!isStepUp && stored !== undefined) {
			if (attempt === 1 && (await this.refresh(http, signal, stored.accessToken)) !== undefined) return true;
			if (Date.now() < this.#reauthorizeAfter) return false;
		}
		return this.#issue(http, protectedResource, joinScopes(stored?.scope, requestedScope), stored, signal);
	}
}

/** Wraps errors of a callback or a store, so that they are not mistaken for an answer of the MCP server. */
async function wrapErrors<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (signal.aborted || McpOAuthError.is(error) || ConfigurationError.is(error)) throw error;
		throw new McpOAuthError(
			"The client could not get a token for the MCP server: a callback or the store failed.",
			{
				code: "authorization_failed",
				hint: "See `cause`: `authorize`, `signJwt` or the token store threw it.",
				cause: error,
			},
		);
	}
}
