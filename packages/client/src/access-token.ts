import type { WithRequestId } from "./call-options";
import type { StemmaClient } from "./client";
import { type Credential, redact } from "./credential";
import { createInvalidAnswerError } from "./invalid-answer";

export type Connect = (credential: Credential) => StemmaClient;

export interface ClientSecret {
	readonly clientId: string;
	readonly clientSecret: string;
}

/** The answer of the token endpoint (RFC 6749, section 5.1). */
interface TokenAnswer {
	readonly access_token?: unknown;
	/** Seconds. */
	readonly expires_in?: number;
}

interface AccessToken {
	readonly value: string;
	/** Epoch milliseconds after which another one is fetched. */
	readonly goodUntil: number;
}

const DEFAULT_LIFETIME_SECONDS = 300;
/** So much of its life is left when a token is replaced, but at most a minute. */
const MARGIN = 0.1;
const LONGEST_MARGIN_MS = 60_000;

/**
 * A client id and secret, traded for access tokens: fetched when first needed, shared by all calls, replaced before they
 * expire. Calls that need one at the same time wait for the same answer; a failure is not kept.
 */
export function createAccessToken({ clientId, clientSecret }: ClientSecret, connect: Connect): Credential {
	let token: AccessToken | undefined;
	let underWay: Promise<AccessToken> | undefined;
	const clean = (text: string): string => redact(text, [clientSecret, token?.value]);
	const client = connect({ authorization: async () => undefined, renew: () => false, redact: clean });

	async function fetchToken(): Promise<AccessToken> {
		const answer = await client.request<TokenAnswer>({
			method: "POST",
			path: "/oauth/token",
			fields: { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret },
		});
		token = toAccessToken(answer);
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
			const good = token !== undefined && Date.now() < token.goodUntil ? token : await shareToken();
			return `Bearer ${good.value}`;
		},
		renew(refused) {
			if (token !== undefined && refused === `Bearer ${token.value}`) token = undefined;
			return true;
		},
		redact: clean,
	};
}

/** @throws ApiError for an answer without a token: something else than the service may give it. */
function toAccessToken(answer: WithRequestId<TokenAnswer>): AccessToken {
	const { access_token, expires_in = DEFAULT_LIFETIME_SECONDS, requestId } = answer;
	if (typeof access_token !== "string")
		throw createInvalidAnswerError("The answer to the request for an access token has none.", {
			status: 200,
			requestId,
		});
	const lifetimeMs = expires_in * 1000;
	const margin = Math.min(lifetimeMs * MARGIN, LONGEST_MARGIN_MS);
	return { value: access_token, goodUntil: Date.now() + lifetimeMs - margin };
}
