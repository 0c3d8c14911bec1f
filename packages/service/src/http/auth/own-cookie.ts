import { isLoopbackHost } from "@stemma/protocol";
import { DomainError } from "../../errors/domain-error";
import type { ServiceContext } from "../service-context";
import { readPublicOrigin } from "./public-origin";

/** Names of a cookie of the service. */
export interface CookieNames {
	/** Name over HTTPS: with a prefix that browsers take of this host alone and for all of its paths (RFC 6265bis). */
	readonly secure: string;
	/** Name over HTTP on the machine of the service. The id of the deployment follows, as cookies are not apart by port. */
	readonly local: string;
}

interface OwnCookie {
	readonly name: string;
	readonly isSecure: boolean;
}

/** Finds the cookie at the address that a request was sent to; `undefined` for plain HTTP from another machine, which has none. */
function findCookie(context: ServiceContext, { secure, local }: CookieNames): OwnCookie | undefined {
	const { protocol, host } = new URL(readPublicOrigin(context));
	if (protocol === "https:") return { name: secure, isSecure: true };
	if (!isLoopbackHost(host)) return undefined;
	return { name: `${local}-${context.get("kernel").people.deploymentId}`, isSecure: false };
}

/**
 * Reads a cookie; `undefined` where the request has none. Two cookies of that name are one without a value: another page of
 * the host may have set one of them.
 */
export function readCookie(context: ServiceContext, names: CookieNames): string | undefined {
	const header = context.req.header("cookie");
	const cookie = header === undefined ? undefined : findCookie(context, names);
	if (header === undefined || cookie === undefined) return undefined;
	const [first, ...more] = header.split(";").flatMap((pair) => {
		const [name = "", value = ""] = pair.trim().split("=", 2);
		return name === cookie.name ? value : [];
	});
	return more.length > 0 ? "" : first;
}

/** @throws DomainError `https_required` where the address may have no cookies. */
export function assertCookiesAllowed(context: ServiceContext): void {
	const { protocol, host } = new URL(readPublicOrigin(context));
	if (protocol !== "https:" && !isLoopbackHost(host)) throw httpsRequired();
}

/** Lets the browser keep a cookie, or forget it for 0 seconds. @throws DomainError `https_required` */
export function setCookie(
	context: ServiceContext,
	names: CookieNames,
	value: string,
	maxAgeSeconds: number,
): void {
	const cookie = findCookie(context, names);
	if (cookie === undefined) throw httpsRequired();
	const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${cookie.isSecure ? "; Secure" : ""}`;
	context.header("set-cookie", `${cookie.name}=${value}; ${attributes}`, { append: true });
}

const httpsRequired = (): DomainError =>
	new DomainError("https_required", "People can sign in over HTTPS only, or on the machine of the service.", {
		hint: "Open the page by https, or at http://localhost on the machine itself. A proxy that ends TLS must send x-forwarded-proto, or the operator sets listen.public_url.",
	});
