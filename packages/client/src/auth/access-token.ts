import type { StemmaClient } from "../client";
import type { createInvalidResponseError } from "../errors/invalid-response";
import type { WithRequestId } from "../options/call-options";
import type { Credential, isVisibleAscii, redact } from "./credential";

/**
 * Dependencies that the caller passes in. This module imports nothing itself, because a bundler would split its imports
 * off from what every page loads.
 */
export interface TokenDependencies {
	readonly createInvalidResponseError: typeof createInvalidResponseError;
	readonly isVisibleAscii: typeof isVisibleAscii;
	readonly redact: typeof redact;
}

export type Connect = (credential: Credential) => StemmaClient;

export interface ClientSecret {
	readonly clientId: string;
	readonly clientSecret: string;
}

/** The answer of the token endpoint (RFC 6749, section 5.1), as far as anything can be relied on. */
interface TokenResponse {
	readonly access_token?: unknown;
	/** Seconds. */
	readonly expires_in?: unknown;
}

interface AccessToken {
	readonly value: string;
	/** Epoch milliseconds after which it is replaced ahead. */
	readonly renewAt: number;
	/** Epoch milliseconds after which calls wait for the next. */
	readonly expiresAt: number;
}

/** Lifetime of tokens whose response does not give it in seconds. An earlier end is noticed by its 401. */
const DEFAULT_LIFETIME_SECONDS = 300;
/** No request for a token more often than each second, and none that is used for ever, whatever the answer says. */
const MIN_LIFETIME_SECONDS = 1;
const MAX_LIFETIME_SECONDS = 86_400;
/** Fraction of its lifetime after which a token is replaced. The old token is still valid during the last quarter. */
const RENEW_AT_FRACTION = 0.75;
/** Calls under way may have been sent with a token that was replaced since. */
const MAX_REMEMBERED_TOKENS = 4;

/**
 * A client id and secret, traded for access tokens: fetched when first needed, shared by all calls, and replaced ahead
 * of their end while calls go on. Calls that need one at the same time wait for the same answer; a failure is not kept.
 */
export function createAccessToken(
	{ clientId, clientSecret }: ClientSecret,
	connect: Connect,
	deps: TokenDependencies,
): Credential {
	let token: AccessToken | undefined;
	let inFlight: Promise<AccessToken> | undefined;
	let tokens: readonly string[] = [];
	/** The secret also as the form of the request has it. */
	const redactText = (text: string): string =>
		deps.redact(text, [clientSecret, encodeURIComponent(clientSecret), ...tokens]);
	const client = connect({
		authorization: async () => undefined,
		renew: async () => false,
		redact: redactText,
	});

	async function fetchToken(): Promise<AccessToken> {
		const body = await client.request<TokenResponse>({
			method: "POST",
			path: "/oauth/token",
			fields: { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret },
		});
		token = toAccessToken(body, deps);
		tokens = [token.value, ...tokens].slice(0, MAX_REMEMBERED_TOKENS);
		return token;
	}

	/** No caller's signal reaches this: the others who wait for it still want it. */
	function shareToken(): Promise<AccessToken> {
		inFlight ??= fetchToken().finally(() => {
			inFlight = undefined;
		});
		return inFlight;
	}

	return {
		async authorization() {
			const now = Date.now();
			const current = token !== undefined && now < token.expiresAt ? token : await shareToken();
			// Nobody waits for this: a failure is for the next call to try again, or to tell when the token has ended.
			if (now >= current.renewAt) shareToken().catch(() => undefined);
			return `Bearer ${current.value}`;
		},
		async renew({ response, authorization, attempt }) {
			const shouldRenew = response.status === 401 && attempt === 1;
			if (shouldRenew && authorization === `Bearer ${token?.value}`) token = undefined;
			return shouldRenew;
		},
		redact: redactText,
	};
}

/** @throws ApiError for an answer without a token: something else than the service may give it. */
function toAccessToken(
	{ access_token, expires_in, requestId }: WithRequestId<TokenResponse>,
	deps: TokenDependencies,
): AccessToken {
	if (!deps.isVisibleAscii(access_token))
		throw deps.createInvalidResponseError("The token response has no access token.", requestId);
	const now = Date.now();
	const lifetimeMs = readLifetime(expires_in) * 1000;
	return { value: access_token, renewAt: now + lifetimeMs * RENEW_AT_FRACTION, expiresAt: now + lifetimeMs };
}

/** Reads the lifetime of a token, in seconds, within the limits above. */
function readLifetime(expiresIn: unknown): number {
	const seconds = Number(expiresIn) > 0 ? Number(expiresIn) : DEFAULT_LIFETIME_SECONDS;
	return Math.min(Math.max(seconds, MIN_LIFETIME_SECONDS), MAX_LIFETIME_SECONDS);
}
