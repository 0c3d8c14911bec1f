import { SourceError } from "../../source-error";
import type { ScanContext } from "../connector";
import { createPathFilter } from "../path-patterns";
import { loadRobots } from "./load-robots";
import { loadSitemaps, loadStartSitemap, type SitemapPages } from "./load-sitemaps";
import { createScope, folderOf, type SiteScope, toPageAddress } from "./page-address";
import type { Robots } from "./robots";
import { DEFAULT_DELAY_MS, type SiteSettings } from "./settings";
import { createSiteRequests, type SiteRequests } from "./site-requests";

/** Site as it is before its pages are looked at. */
export interface Site {
	/** Page to start from, after its redirects. */
	readonly start: URL;
	/** The source starts from a sitemap: its pages are read, and no links are followed. */
	readonly isSitemap: boolean;
	/** Pages of sitemaps. */
	readonly pages: SitemapPages;
	readonly scope: SiteScope;
	readonly robots: Robots;
	readonly requests: SiteRequests;
}

const MAX_START_REDIRECTS = 10;

/**
 * Finds where a source starts, what robots.txt allows, and what sitemaps list.
 *
 * @throws SourceError where the start cannot be read, or may not be.
 */
export async function openSite(settings: SiteSettings, context: ScanContext): Promise<Site> {
	const { delay_ms: delayMs = DEFAULT_DELAY_MS } = settings;
	const first = toPageAddress(settings.url);
	if (first === undefined) throw invalidStartError();
	const requests = createSiteRequests(context, first, await context.readCredential(first.origin), delayMs);
	const { start, robots } = await resolveStart(first, requests);
	requests.delayMs = Math.max(delayMs, robots.crawlDelayMs);
	const isIncluded = createPathFilter(settings);
	const sitemap = looksLikeSitemap(start) ? await loadStartSitemap(start, requests) : undefined;
	if (sitemap !== undefined) {
		const scope = createScope(start, "/", isIncluded);
		return { start, isSitemap: true, pages: sitemap, scope, robots, requests };
	}
	if (!robots.isAllowed(`${start.pathname}${start.search}`)) throw disallowedError(start);
	const listed = robots.sitemaps.flatMap((address) => toPageAddress(address, start) ?? []);
	const pages = await loadSitemaps(listed, requests);
	return {
		start,
		isSitemap: false,
		pages,
		scope: createScope(start, folderOf(start), isIncluded),
		robots,
		requests,
	};
}

const looksLikeSitemap = ({ pathname }: URL): boolean => /sitemap|\.(?:xml|xml\.gz|txt)$/iu.test(pathname);

/** Follows the redirects of the start: to TLS, to or from `www.`, and on the same host. */
async function resolveStart(
	first: URL,
	requests: SiteRequests,
): Promise<{ readonly start: URL; readonly robots: Robots }> {
	let start = first;
	let robots = await loadRobots(start, requests);
	for (let redirects = 0; redirects <= MAX_START_REDIRECTS; redirects += 1) {
		const target = await findRedirect(start, requests);
		if (target === undefined) return { start, robots };
		if (toSiteName(target) !== toSiteName(first)) throw outsideError(target);
		if (target.origin !== start.origin) robots = await loadRobots(target, requests);
		start = target;
	}
	throw new SourceError(
		"The redirects of the page that the source starts from lead back to where they began.",
		{
			code: "redirect_loop",
			hint: "Set `url` to a page that does not redirect.",
		},
	);
}

async function findRedirect(start: URL, requests: SiteRequests): Promise<URL | undefined> {
	const { status, headers, body } = await requests.get(start, {
		maxRedirects: 0,
		maxBytes: Number.MAX_SAFE_INTEGER,
	});
	await body?.cancel();
	const location = headers.get("location");
	return status >= 300 && status < 400 && location !== null ? toPageAddress(location, start) : undefined;
}

const toSiteName = ({ hostname, port }: URL): string => `${hostname.replace(/^www\./u, "")}:${port}`;

const invalidStartError = (): SourceError =>
	new SourceError("The address of the source is no address of a web page.", {
		code: "invalid_url",
		hint: "Write `url` as https://docs.example.com/guide/, without a user name.",
	});

const disallowedError = ({ host }: URL): SourceError =>
	new SourceError(`robots.txt of ${host} forbids the page that the source starts from.`, {
		code: "robots_disallowed",
		hint: "Ask its owner to allow StemmaBot there, or start from another page.",
	});

const outsideError = ({ origin, pathname }: URL): SourceError =>
	new SourceError("The page that the source starts from has moved to another host.", {
		code: "redirected_outside",
		hint: `Set \`url\` to ${origin}${pathname}, if that is the site.`,
	});
