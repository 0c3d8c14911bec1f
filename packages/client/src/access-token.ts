import type { WithRequestId } from "./call-options";
import type { StemmaClient } from "./client";
import type { Credential, isPlain, redact } from "./credential";
import type { createInvalidAnswerError } from "./invalid-answer";

/** What it needs of the rest. It imports nothing: that would be split off from what every page loads. */
export interface TokenTools {
	readonly createInvalidAnswerError: typeof createInvalidAnswerError;
	readonly isPlain: typeof isPlain;
	readonly redact: typeof redact;
}

export type Connect = (credential: Credential) => StemmaClient;

export interface ClientSecret {
	readonly clientId: string;
	readonly clientSecret: string;
}

/** The answer of the token endpoint (RFC 6749, section 5.1), as far as anything can be relied on. */
interface TokenAnswer {
	readonly access_token?: unknown;
	/** Seconds. */
	readonly expires_in?: unknown;
}

interface AccessToken {
	readonly value: string;
	/** Epoch milliseconds after which it is replaced ahead. */
	readonly renewAt: number;
	/** Epoch milliseconds after which calls wait for the next. */
	readonly endsAt: number;
}

/** Of tokens whose answer does not say so in seconds: one that ends before is found out by its 401. */
const DEFAULT_LIFETIME_SECONDS = 300;
/** No request for a token more often than each second, and none that is used for ever, whatever the answer says. */
const SHORTEST_LIFETIME_SECONDS = 1;
const LONGEST_LIFETIME_SECONDS = 86_400;
/** In the last quarter of its life a token is replaced while it still serves. */
const RENEWED_AFTER = 0.75;
/** Calls under way may have been sent with a token that was replaced since. */
const REMEMBERED_TOKENS = 4;

/**
 * A client id and secret, traded for access tokens: fetched when first needed, shared by all calls, and replaced ahead
 * of their end while calls go on. Calls that need one at the same time wait for the same answer; a failure is not kept.
 */
export function createAccessToken(
	{ clientId, clientSecret }: ClientSecret,
	connect: Connect,
	tools: TokenTools,
): Credential {
	let token: AccessToken | undefined;
	let underWay: Promise<AccessToken> | undefined;
	let tokens: readonly string[] = [];
	/** The secret also as the form of the request has it. */
	const clean = (text: string): string =>
		tools.redact(text, [clientSecret, encodeURIComponent(clientSecret), ...tokens]);
	const client = connect({ authorization: async () => undefined, renew: async () => false, redact: clean });

	async function fetchToken(): Promise<AccessToken> {
		const answer = await client.request<TokenAnswer>({
			method: "POST",
			path: "/oauth/token",
			fields: { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret },
		});
		token = toAccessToken(answer, tools);
		tokens = [token.value, ...tokens].slice(0, REMEMBERED_TOKENS);
		return token;
	}

	/** No caller's signal reaches this: the others who wait for it still want it. */
	function shareToken(): Promise<AccessToken> {
		underWay ??= fetchToken().finally(() => {
			underWay = undefined;
		});
		return underWay;
	}

	return {
		async authorization() {
			const now = Date.now();
			const good = token !== undefined && now < token.endsAt ? token : await shareToken();
			// Nobody waits for this: a failure is for the next call to try again, or to tell when the token has ended.
			if (now >= good.renewAt) shareToken().catch(() => undefined);
			return `Bearer ${good.value}`;
		},
		async renew({ response, authorization, attempt }) {
			const isRefused = response.status === 401 && attempt === 1;
			if (isRefused && authorization === `Bearer ${token?.value}`) token = undefined;
			return isRefused;
		},
		redact: clean,
	};
}

/** @throws ApiError for an answer without a token: something else than the service may give it. */
function toAccessToken(
	{ access_token, expires_in, requestId }: WithRequestId<TokenAnswer>,
	tools: TokenTools,
): AccessToken {
	if (!tools.isPlain(access_token))
		throw tools.createInvalidAnswerError("The answer to the request for an access token has none.", {
			status: 200,
			requestId,
		});
	const now = Date.now();
	const lifetimeMs = readLifetime(expires_in) * 1000;
	return { value: access_token, renewAt: now + lifetimeMs * RENEWED_AFTER, endsAt: now + lifetimeMs };
}

/** In seconds. */
function readLifetime(said: unknown): number {
	const seconds = Number(said) > 0 ? Number(said) : DEFAULT_LIFETIME_SECONDS;
	return Math.min(Math.max(seconds, SHORTEST_LIFETIME_SECONDS), LONGEST_LIFETIME_SECONDS);
}
