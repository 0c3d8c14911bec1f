import type { ServiceContext } from "../service-context";
import { type CookieNames, readCookie, setCookie } from "./own-cookie";

/** Names of the cookie of an attempt to sign in, whose value is the secret of the attempt. */
const ATTEMPT: CookieNames = { secure: "__Host-stemma-attempt", local: "stemma-attempt" };

/** Reads the secret of the attempt that a browser has begun; `undefined` where there is none. */
export const readAttemptSecret = (context: ServiceContext): string | undefined =>
	readCookie(context, ATTEMPT);

/** Lets the browser keep the secret of an attempt. @throws DomainError `https_required` */
export function setAttemptCookie(context: ServiceContext, secret: string, ttlMs: number): void {
	setCookie(context, ATTEMPT, secret, ttlMs / 1000);
}

/** Lets the browser forget its attempt. */
export function clearAttemptCookie(context: ServiceContext): void {
	setCookie(context, ATTEMPT, "", 0);
}
