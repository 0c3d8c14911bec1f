import type { ServiceContext } from "./service-app";

/**
 * The origin of the service as its caller sees it: `https://kb.example`. It is the address that the request was sent to,
 * with `https` where a proxy that ends TLS says so by `x-forwarded-proto`; that header can raise the scheme, and nothing
 * lowers it. The caller itself says all this: an answer that tells it must go to nobody else, so it must not be kept by
 * shared caches (`cache-control: private` or `no-store`).
 */
export function readPublicOrigin(context: ServiceContext): string {
	const { protocol, host } = new URL(context.req.url);
	const [forwarded = ""] = context.req.header("x-forwarded-proto")?.split(",") ?? [];
	const isSecure = protocol === "https:" || forwarded.trim().toLowerCase() === "https";
	return `${isSecure ? "https" : "http"}://${host}`;
}
