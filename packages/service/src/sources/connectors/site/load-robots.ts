import { SourceError } from "../../source-error";
import { readFirst } from "../read-body";
import { MAX_ROBOTS_BYTES, parseRobots, type Robots } from "./robots";
import type { SiteRequests } from "./site-requests";

/** Redirects that are followed to robots.txt (RFC 9309, section 2.3.1.2). */
const MAX_ROBOTS_REDIRECTS = 5;

/**
 * Loads robots.txt of an origin. Without one, all is allowed; where it cannot be reached, nothing is (RFC 9309,
 * section 2.3.1).
 *
 * @throws SourceError `robots_unreachable`
 */
export async function loadRobots(origin: URL, requests: SiteRequests): Promise<Robots> {
	const response = await requests
		.get(new URL("/robots.txt", origin), {
			maxRedirects: MAX_ROBOTS_REDIRECTS,
			maxBytes: Number.MAX_SAFE_INTEGER,
		})
		.catch((error: unknown) => toUnavailable(error, origin));
	if (response === undefined) return parseRobots("");
	const { status, body } = response;
	if (status === 200 && body !== null) return parseRobots(await readText(body, origin));
	await body?.cancel();
	if (status === 429 || status >= 500) throw unreachableError(origin, `it responded with ${status}`);
	return parseRobots("");
}

/** A robots.txt behind too many redirects counts as none. */
function toUnavailable(error: unknown, origin: URL): undefined {
	if (!SourceError.is(error) || error.code === "blocked_address") throw error;
	if (error.code === "too_many_redirects" || error.code === "redirect_invalid") return undefined;
	throw unreachableError(origin, error.message, error);
}

async function readText(body: ReadableStream<Uint8Array>, origin: URL): Promise<string> {
	const bytes = await readFirst(body, MAX_ROBOTS_BYTES).catch((error: unknown) => {
		throw unreachableError(origin, "it did not end", error);
	});
	return new TextDecoder().decode(bytes);
}

const unreachableError = (origin: URL, reason: string, cause?: unknown): SourceError =>
	new SourceError(
		`robots.txt of ${origin.host} cannot be read: ${reason}. Without it no page may be requested.`,
		{
			code: "robots_unreachable",
			hint: "Try again later; if the site has no robots.txt, it has to respond with 404 to the request for it.",
			cause,
		},
	);
