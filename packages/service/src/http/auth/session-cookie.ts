import { MAX_SESSION_MS } from "../../people/people-limits";
import type { ServiceContext } from "../service-context";
import { assertCookiesAllowed, type CookieNames, readCookie, setCookie } from "./own-cookie";

/** Names of the cookie of sessions, whose value is the secret of the session. */
const SESSION: CookieNames = { secure: "__Host-stemma", local: "stemma" };

/**
 * Reads the secret of the session that a request was sent with; `undefined` where it has none. Two cookies of that name are
 * no session.
 */
export const readSessionSecret = (context: ServiceContext): string | undefined =>
	readCookie(context, SESSION);

/** @throws DomainError `https_required` where the address may have no sessions. */
export const assertSessionsAllowed = (context: ServiceContext): void => assertCookiesAllowed(context);

/** Lets the browser keep the secret of a session. @throws DomainError `https_required` */
export function setSessionCookie(context: ServiceContext, secret: string): void {
	setCookie(context, SESSION, secret, MAX_SESSION_MS / 1000);
}

/** Lets the browser forget its session. */
export function clearSessionCookie(context: ServiceContext): void {
	setCookie(context, SESSION, "", 0);
}
