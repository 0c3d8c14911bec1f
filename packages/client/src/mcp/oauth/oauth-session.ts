import { ConfigurationError } from "@stemma/core/errors";
import { singleFlight } from "@stemma/core/internal";
import { type Credential, isPlain, type Refusal, redact } from "../../credential";
import { header } from "../../response";
import { isInsufficientScope, readBearerChallenge } from "../challenge";
import { findAuthorizationServer } from "./authorization-server";
import { toSecretForms } from "./client-authentication";
import type { OAuthGrant } from "./grant";
import { type HttpAddress, parseAddress } from "./http-address";
import { McpOAuthError } from "./oauth-error";
import type { OAuthHttp } from "./oauth-http";
import { findProtectedResource, type ProtectedResource } from "./protected-resource";
import { requestToken } from "./request-token";
import { hasScopes, joinScopes } from "./scopes";
import type { McpAuthorization, McpTokenStore } from "./token-store";

export interface OAuthSessionOptions {
	/** Of the MCP server, as the client was created with it: the key of the store. */
	readonly url: string;
	readonly server: HttpAddress;
	readonly http: OAuthHttp;
	readonly store: McpTokenStore;
	readonly grant: OAuthGrant;
}

/** A token is refreshed ahead of its end. */
const REFRESH_AHEAD_MS = 10_000;
/** Of one request: a refresh, an authorization, and one for more scopes. */
const MAX_REFUSALS = 3;
/** Secrets that were sent of late, and may come back in errors. */
const REMEMBERED_SECRETS = 16;

const isRefusal = (status: number): boolean => status === 401 || status === 403;

const isFresh = ({ expiresAt = Number.POSITIVE_INFINITY }: McpAuthorization, aheadMs = 0): boolean =>
	Date.now() + aheadMs < expiresAt;

const toHeader = (kept: McpAuthorization | undefined): string | undefined =>
	kept?.accessToken && `Bearer ${kept.accessToken}`;

/** Tokens for one MCP server: kept, refreshed, and asked for when the server refuses a request. */
export function createOAuthSession({ url, server, http, store, grant }: OAuthSessionOptions): Credential {
	let secrets: readonly string[] = [];
	/** What was issued last by a new authorization: a server that refuses it would refuse the next one, too. */
	let lastIssued: string | undefined;

	function remember({ accessToken, refreshToken, client, pending }: McpAuthorization): void {
		const sent = [accessToken, refreshToken, client?.secret, pending?.codeVerifier];
		const others = sent.filter((secret) => secret !== undefined && !secrets.includes(secret));
		secrets = [...(others as string[]), ...secrets].slice(0, REMEMBERED_SECRETS);
	}

	/** Another process may have written it. Nothing that is kept for another origin is used. */
	async function load(): Promise<McpAuthorization | undefined> {
		const kept = await store.get(url);
		if (kept === undefined || parseAddress(kept.resource)?.origin !== server.origin) return undefined;
		remember(kept);
		return kept.accessToken === undefined || isPlain(kept.accessToken)
			? kept
			: { ...kept, accessToken: undefined };
	}

	async function save(authorization: McpAuthorization): Promise<void> {
		remember(authorization);
		await store.set(url, authorization);
	}

	/**
	 * Once for all who need it: servers that rotate refresh tokens take one that is used twice for stolen.
	 *
	 * @param stale - the access token that is to be replaced; another call or process may have done so.
	 */
	const refresh = singleFlight(async (signal, stale?: string): Promise<McpAuthorization | undefined> => {
		const kept = await load();
		if (kept?.accessToken !== undefined && kept.accessToken !== stale) return kept;
		const { refreshToken: refresh_token, issuer, resource } = kept ?? {};
		if (kept === undefined || refresh_token === undefined || issuer === undefined) return undefined;
		const authorizationServer = await findAuthorizationServer(http, issuer, server, signal);
		const client = grant.findClient(authorizationServer, kept, server);
		if (client === undefined) return undefined;
		const fields = { grant_type: "refresh_token", refresh_token, resource };
		const { createId } = grant;
		try {
			const tokens = await requestToken({
				http,
				authorizationServer,
				client,
				grant: fields,
				createId,
				signal,
			});
			const scope = joinScopes(kept.scope, tokens.scope);
			const refreshed = { ...kept, expiresAt: undefined, ...tokens, scope };
			await save(refreshed);
			return refreshed;
		} catch (error) {
			if (!McpOAuthError.is(error) || error.code !== "token_refused") throw error;
			const now = await load();
			// Another process was faster.
			if (now?.refreshToken !== refresh_token) return now;
			await save({ ...kept, accessToken: undefined, expiresAt: undefined, refreshToken: undefined });
			return undefined;
		}
	});

	async function issue(
		{ resource, authorizationServers }: ProtectedResource,
		scope: string | undefined,
		kept: McpAuthorization | undefined,
		signal: AbortSignal,
	): Promise<boolean> {
		const isOurs = (issuer: string): boolean => grant.clients.some((client) => client.issuer === issuer);
		const [first = ""] = authorizationServers;
		const issuer = authorizationServers.find(isOurs) ?? kept?.issuer ?? first;
		const own = kept?.issuer === issuer ? kept : undefined;
		const authorizationServer = await findAuthorizationServer(http, issuer, server, signal);
		try {
			const request = { http, server, resource, authorizationServer, scope, kept: own, save, signal };
			const issued = await grant.issueTokens(request);
			lastIssued = toHeader(issued);
			await save(issued);
			return true;
		} catch (error) {
			const isUnknownClient = McpOAuthError.is(error) && error.oauthError === "invalid_client";
			const stored = isUnknownClient ? await load() : undefined;
			// The next authorization registers it again.
			if (stored?.client) await save({ ...stored, client: undefined });
			throw error;
		}
	}

	const reauthorize = singleFlight(async (signal, refusal: Refusal): Promise<boolean> => {
		const { response, authorization, attempt } = refusal;
		const { status } = response;
		const challenge = readBearerChallenge(header(response, "www-authenticate"));
		const held = await load();
		const current = held && isFresh(held) ? toHeader(held) : undefined;
		// Replaced since the request went out.
		if (current !== undefined && current !== authorization) return true;
		const isStepUp = isInsufficientScope(status, challenge);
		if (!isStepUp && (status !== 401 || (attempt > 1 && authorization === lastIssued))) return false;
		const named = challenge.get("resource_metadata");
		const protectedResource = await findProtectedResource(http, server, named, signal);
		const isSame =
			held?.resource === protectedResource.resource &&
			protectedResource.authorizationServers.includes(held.issuer);
		const kept = isSame ? held : undefined;
		const asked = challenge.get("scope") ?? protectedResource.scope;
		// What was asked for before, and not granted or not enough, is not asked for again.
		if (isStepUp && hasScopes(kept?.scope, asked)) return false;
		if (
			!isStepUp &&
			kept !== undefined &&
			attempt === 1 &&
			(await refresh(signal, kept.accessToken)) !== undefined
		)
			return true;
		return issue(protectedResource, joinScopes(kept?.scope, asked), kept, signal);
	});

	return {
		async authorization(signal = new AbortController().signal) {
			return wrapErrors(async () => {
				const kept = await load();
				if (kept?.accessToken === undefined || isFresh(kept, REFRESH_AHEAD_MS)) return toHeader(kept);
				const last = isFresh(kept) ? kept : undefined;
				if (kept.refreshToken === undefined) return toHeader(last);
				try {
					return toHeader((await refresh(signal, kept.accessToken)) ?? last);
				} catch (error) {
					if (last === undefined || signal.aborted) throw error;
					return toHeader(last);
				}
			}, signal);
		},
		renew: async (refusal) =>
			isRefusal(refusal.response.status) &&
			refusal.attempt <= MAX_REFUSALS &&
			wrapErrors(() => reauthorize(refusal.signal, refusal), refusal.signal),
		redact: (text) =>
			redact(text, [
				...secrets,
				...grant.clients.flatMap(({ secret }) => (secret ? toSecretForms(secret) : [])),
			]),
	};
}

/** What a callback or a store throws must not be taken for an answer of the MCP server. */
async function wrapErrors<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
	try {
		return await work();
	} catch (error) {
		if (signal.aborted || McpOAuthError.is(error) || ConfigurationError.is(error)) throw error;
		throw new McpOAuthError(
			"The token for the MCP server could not be had: a callback or the store failed.",
			{
				code: "authorization_failed",
				hint: "See `cause`: `authorize`, `signJwt` or the token store threw it.",
				cause: error,
			},
		);
	}
}
