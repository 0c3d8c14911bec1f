import { isLoopbackUrl } from "@stemma/protocol";
import { DomainError } from "../errors/domain-error";
import { readPublicOrigin } from "../http/auth/public-origin";
import type { ServiceContext } from "../http/service-context";

/**
 * Refuses browsers that send a server's credential from pages of elsewhere. The origins of a client key were checked with
 * the key.
 *
 * @param isLocal - the service listens to this machine alone. Then its own pages are those under a loopback name, and under
 * the address that `listen.public_url` says: any other name may have been made to point here, by the page that uses it
 * (DNS rebinding).
 * @throws DomainError `origin_not_allowed`.
 */
export function assertOrigin(context: ServiceContext, isLocal: boolean): void {
	const origin = context.req.header("origin");
	if (origin === undefined || context.get("caller").kind === "client_key") return;
	if (isLoopbackUrl(origin) && isLoopbackUrl(new URL(context.req.url).origin)) return;
	const hasPublicOrigin = context.get("kernel").publicOrigin !== undefined;
	if ((hasPublicOrigin || !isLocal) && origin === readPublicOrigin(context)) return;
	throw new DomainError(
		"origin_not_allowed",
		"Pages of this origin may not use a server's credential here.",
		{
			hint: "In browsers, use a client key whose origins include the page's origin: scheme, host and port.",
		},
	);
}
