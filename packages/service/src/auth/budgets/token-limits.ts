import { toRateLimitKey } from "../../outbound/ip-address";
import type { RateLimiter } from "../rate-limiter";

/** Live access tokens of one client. A further one replaces the one that ends next. */
export const MAX_LIVE_TOKENS = 1000;
/** Token requests with a wrong secret or an unknown client, from one IPv4 address or IPv6 network (/64). */
export const MAX_FAILED_TOKENS_PER_MINUTE = 300;
/** Tokens of all clients of a workspace, as a multiple of those of one client. */
const WORKSPACE_FACTOR = 4;

/** Tokens of one app for one person. A token lives for 15 minutes. */
export const MAX_APP_TOKENS_PER_MINUTE = 10;
/** Tokens of all apps for one person. */
export const MAX_TOKENS_OF_APPS_PER_MINUTE = 60;

/** Rates of `/oauth/token`. */
export interface TokenLimits {
	/**
	 * Counts a token for a client that has shown its secret: counted before, anybody could use up another's.
	 *
	 * @returns 0, or the seconds to wait where the client or its workspace has had too many in the last minute.
	 */
	countToken(client: { readonly id: string; readonly workspaceId: string }): number;
	/**
	 * Counts a token for an app that acts as a person: it takes nothing from the clients of the workspace.
	 *
	 * @returns 0, or the seconds to wait where the app or its person has had too many in the last minute.
	 */
	countAppToken(authorization: { readonly id: string; readonly userId: string }): number;
	/**
	 * Counts a request without the right secret.
	 *
	 * @param address - of the connection; of IPv6 its network (/64) counts. Left out: not counted.
	 * @returns 0, or the seconds to wait.
	 */
	countFailure(address: string | undefined): number;
}

/** @param tokensPerMinute - of one client. */
export function createTokenLimits(
	tokensPerMinute: number,
	openRate: (scope: "access_tokens" | "failures") => RateLimiter,
): TokenLimits {
	const tokens = openRate("access_tokens");
	const failures = openRate("failures");
	return {
		countToken: ({ id, workspaceId }) =>
			tokens.count(id, tokensPerMinute) || tokens.count(workspaceId, tokensPerMinute * WORKSPACE_FACTOR),
		countAppToken: ({ id, userId }) =>
			tokens.count(id, MAX_APP_TOKENS_PER_MINUTE) || tokens.count(userId, MAX_TOKENS_OF_APPS_PER_MINUTE),
		countFailure: (address) =>
			address === undefined ? 0 : failures.count(toRateLimitKey(address), MAX_FAILED_TOKENS_PER_MINUTE),
	};
}
