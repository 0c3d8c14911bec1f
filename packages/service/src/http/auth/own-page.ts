import { DomainError } from "../../errors/domain-error";
import { toPageOrigin } from "../../people/sign-in-links";
import type { ServiceContext } from "../service-context";
import { readPublicOrigin } from "./public-origin";

/** Header that a page must send itself: no form and no link can, and other origins may not. */
const CSRF_HEADER = "stemma-csrf";

/**
 * Asserts that a request with a cookie comes from a page of this service, as browsers send cookies along whoever asks. What
 * changes something needs the header {@link CSRF_HEADER} as well, and has to say where it comes from.
 *
 * @throws DomainError `csrf_header_missing`, `origin_not_allowed`
 */
export function assertOwnPage(context: ServiceContext): void {
	const { method } = context.req;
	const isRead = method === "GET" || method === "HEAD";
	const origin = context.req.header("origin");
	// What a person types or bookmarks is "none".
	const site = context.req.header("sec-fetch-site");
	const isOwnSite = site === undefined || site === "same-origin" || (isRead && site === "none");
	const isKnown = isRead || site !== undefined || origin !== undefined;
	const ownOrigin = readPublicOrigin(context);
	// The page goes from 127.0.0.1 to localhost, as passkeys take no address for their party.
	const isOwnOrigin = origin === undefined || origin === ownOrigin || origin === toPageOrigin(ownOrigin);
	if (!isOwnSite || !isKnown || !isOwnOrigin) throw notOwnPage(toPageOrigin(ownOrigin));
	if (!isRead && context.req.header(CSRF_HEADER) !== "1") throw csrfHeaderMissing();
}

const notOwnPage = (origin: string): DomainError =>
	new DomainError("origin_not_allowed", "Sessions are for the pages of this service alone.", {
		hint: `Open the page at ${origin}, the address that the service is known by: behind a proxy, it must pass on the header Host, or the operator sets listen.public_url. Pages of other origins use a client key.`,
	});

const csrfHeaderMissing = (): DomainError =>
	new DomainError(
		"csrf_header_missing",
		`A session needs the header ${CSRF_HEADER}: 1 to change something.`,
		{
			hint: "Clients that are created with session: true send it.",
			param: CSRF_HEADER,
		},
	);
