import { isPlainHost } from "../../configuration/is-plain-host";
import { DomainError } from "../../errors/domain-error";
import type { ServiceContext } from "../service-context";

/**
 * The origin that clients know the service by: `https://kb.example`. It is what `listen.public_url` says; else the address
 * that the request was sent to, with `https` where a proxy that ends TLS says so by `x-forwarded-proto`: that header can
 * raise the scheme, and nothing lowers it. Where the proxies are configured, only theirs counts. The caller itself says all this then: an answer that tells it must go to nobody
 * else, so it must not be kept by shared caches (`cache-control: private` or `no-store`).
 *
 * @throws DomainError `invalid_host`.
 */
export const readPublicOrigin = (context: ServiceContext): string =>
	context.get("kernel").publicOrigin ?? readRequestOrigin(context);

function readRequestOrigin(context: ServiceContext): string {
	const { protocol, host } = new URL(context.req.url);
	// It is repeated in headers, where quotes and the like would end what they stand in.
	if (!isPlainHost(host)) throw invalidHost();
	const isSecure = protocol === "https:" || (context.env?.isSecure ?? isForwardedSecure(context));
	return `${isSecure ? "https" : "http"}://${host}`;
}

function isForwardedSecure(context: ServiceContext): boolean {
	const [scheme = ""] = context.req.header("x-forwarded-proto")?.split(",") ?? [];
	return scheme.trim().toLowerCase() === "https";
}

const invalidHost = (): DomainError =>
	new DomainError("invalid_host", "The Host header is not a valid host name or address.", {
		hint: "Send the host, with the port if it is not the default one, such as kb.example:4000.",
	});
