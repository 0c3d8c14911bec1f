import type { Issuer } from "./issuers";

/** Logout that an issuer asks for: of all sessions of a person, or of one session there. */
export interface Logout {
	readonly subject: string | undefined;
	readonly sid: string | undefined;
	/** Id of the token, which is used once. */
	readonly tokenId: string;
	/** Epoch milliseconds. */
	readonly expiresAt: number;
}

const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** Longest time from the creation of a logout token to its use. */
const MAX_LOGOUT_AGE_SECONDS = 5 * 60;

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6).
 *
 * @throws Error where it does not hold; its message says why, without the token.
 */
export async function readLogoutToken({ configuration, tokens }: Issuer, token: string): Promise<Logout> {
	const { sub, sid, jti, exp, ...claims } = await tokens.verify(token, {
		audience: configuration.clientId,
		claims: ["iat", "jti", "exp", "events"],
		maxAgeSeconds: MAX_LOGOUT_AGE_SECONDS,
	});
	if ("nonce" in claims) throw new Error("It has a nonce, so it is an ID token.");
	if (!isLogoutEvent(claims.events)) throw new Error("Its events are not those of a logout.");
	if (sub === undefined && typeof sid !== "string")
		throw new Error("It names neither a person nor a session.");
	if (typeof jti !== "string" || jti === "") throw new Error("It has no id.");
	return {
		subject: sub,
		sid: typeof sid === "string" ? sid : undefined,
		tokenId: jti,
		expiresAt: (exp ?? 0) * 1000,
	};
}

const isLogoutEvent = (events: unknown): boolean =>
	typeof events === "object" && events !== null && LOGOUT_EVENT in events && isObject(events[LOGOUT_EVENT]);

const isObject = (value: unknown): boolean =>
	typeof value === "object" && value !== null && !Array.isArray(value);
