import { isLoopbackHost } from "@stemma/protocol";
import { DomainError } from "../../errors/domain-error";
import { MAX_SESSION_MS } from "../../people/people-limits";
import type { ServiceContext } from "../service-context";
import { readPublicOrigin } from "./public-origin";

/** Cookie of sessions at the address that a request was sent to. */
interface SessionCookie {
	readonly name: string;
	readonly isSecure: boolean;
}

/** Prefix that browsers take over HTTPS alone, of this host alone and for all of its paths (RFC 6265bis). */
const SECURE_NAME = "__Host-stemma";

/** Finds the cookie of sessions; `undefined` for plain HTTP from another machine, which has none. */
function findSessionCookie(context: ServiceContext): SessionCookie | undefined {
	const { protocol, host } = new URL(readPublicOrigin(context));
	if (protocol === "https:") return { name: SECURE_NAME, isSecure: true };
	if (!isLoopbackHost(host)) return undefined;
	// Cookies are not apart by port: each deployment of a machine has its own.
	return { name: `stemma-${context.get("kernel").people.deploymentId}`, isSecure: false };
}

/**
 * Reads the secret of the session that a request was sent with; `undefined` where it has none. Two cookies of that name
 * are no session: another page of the host may have set one of them.
 */
export function readSessionSecret(context: ServiceContext): string | undefined {
	const header = context.req.header("cookie");
	const cookie = header === undefined ? undefined : findSessionCookie(context);
	if (header === undefined || cookie === undefined) return undefined;
	const [first, ...more] = header.split(";").flatMap((pair) => {
		const [name = "", value = ""] = pair.trim().split("=", 2);
		return name === cookie.name ? value : [];
	});
	return more.length > 0 ? "" : first;
}

/** @throws DomainError `https_required` where the address may have no sessions. */
export function assertSessionsAllowed(context: ServiceContext): void {
	if (findSessionCookie(context) === undefined) throw httpsRequired();
}

/** Lets the browser keep the secret of a session. @throws DomainError `https_required` */
export function setSessionCookie(context: ServiceContext, secret: string): void {
	setCookie(context, secret, MAX_SESSION_MS / 1000);
}

/** Lets the browser forget its session. */
export function clearSessionCookie(context: ServiceContext): void {
	setCookie(context, "", 0);
}

function setCookie(context: ServiceContext, value: string, maxAgeSeconds: number): void {
	const cookie = findSessionCookie(context);
	if (cookie === undefined) throw httpsRequired();
	const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${cookie.isSecure ? "; Secure" : ""}`;
	context.header("set-cookie", `${cookie.name}=${value}; ${attributes}`);
}

const httpsRequired = (): DomainError =>
	new DomainError("https_required", "People can sign in over HTTPS only, or on the machine of the service.", {
		hint: "Open the page by https, or at http://localhost on the machine itself. A proxy that ends TLS must send x-forwarded-proto, or the operator sets listen.public_url.",
	});
