import { SourceError } from "../../source-error";
import { readBody } from "../read-body";
import { toPageAddress } from "./page-address";
import { MAX_SITEMAP_BYTES, readSitemap, type Sitemap } from "./read-sitemap";
import type { SiteRequests } from "./site-requests";

/** Dates by the addresses of pages, as the sitemaps of a site list them; `null` for a page without a date. */
export type SitemapPages = ReadonlyMap<string, string | null>;

/** Maximum number of sitemaps of one site. */
export const MAX_SITEMAPS = 500;
const MAX_INDEX_DEPTH = 3;
const MAX_SITEMAP_REDIRECTS = 5;

interface SitemapAddress {
	readonly url: URL;
	readonly depth: number;
	/** A sitemap that is not there counts as empty. */
	readonly isOptional: boolean;
}

/**
 * Loads sitemaps, with those that they list.
 *
 * @param addresses - as robots.txt names them: a missing one counts as empty.
 * @throws SourceError `sitemap_unavailable`, `sitemap_unreadable`, `sitemap_too_large`
 */
export async function loadSitemaps(addresses: readonly URL[], requests: SiteRequests): Promise<SitemapPages> {
	const pages = new Map<string, string | null>();
	await addSitemaps(
		pages,
		addresses.map((url) => ({ url, depth: 0, isOptional: true })),
		requests,
	);
	return pages;
}

/** Loads the sitemap that a source starts from, with those that it lists. @returns `undefined` where it is a page. */
export async function loadStartSitemap(
	start: URL,
	requests: SiteRequests,
): Promise<SitemapPages | undefined> {
	const sitemap = await loadSitemap({ url: start, depth: 0, isOptional: false }, requests);
	if (sitemap === undefined) return undefined;
	const pages = new Map<string, string | null>();
	await addSitemaps(pages, addEntries(pages, sitemap, { url: start, depth: 0, isOptional: false }), requests);
	return pages;
}

async function addSitemaps(
	pages: Map<string, string | null>,
	addresses: readonly SitemapAddress[],
	requests: SiteRequests,
): Promise<void> {
	const seen = new Set<string>();
	const open = [...addresses];
	for (let address = open.shift(); address !== undefined; address = open.shift()) {
		if (seen.has(address.url.href) || seen.size >= MAX_SITEMAPS) continue;
		seen.add(address.url.href);
		const sitemap = await loadSitemap(address, requests);
		if (sitemap !== undefined) open.push(...addEntries(pages, sitemap, address));
	}
}

/** Adds the pages of a sitemap. @returns the sitemaps of an index. */
function addEntries(
	pages: Map<string, string | null>,
	{ kind, entries }: Sitemap,
	{ url, depth }: SitemapAddress,
): readonly SitemapAddress[] {
	const found: SitemapAddress[] = [];
	for (const { address, lastModified } of entries) {
		const target = toPageAddress(address, url);
		if (target === undefined) continue;
		if (kind === "pages") pages.set(target.href, lastModified);
		else if (depth < MAX_INDEX_DEPTH) found.push({ url: target, depth: depth + 1, isOptional: true });
	}
	return found;
}

async function loadSitemap(address: SitemapAddress, requests: SiteRequests): Promise<Sitemap | undefined> {
	const { url, isOptional } = address;
	const response = await requests.get(url, {
		maxRedirects: MAX_SITEMAP_REDIRECTS,
		maxBytes: MAX_SITEMAP_BYTES + 1,
	});
	const { status } = response;
	if (status !== 200) {
		await response.body?.cancel();
		if (isOptional && (status === 404 || status === 410)) return undefined;
		throw new SourceError(`The sitemap ${url.href} responded with ${status}.`, {
			code: "sitemap_unavailable",
			hint: "Check its address, or start from a page of the site.",
		});
	}
	const bytes = await readBody(response, MAX_SITEMAP_BYTES);
	if (bytes === undefined)
		throw new SourceError(`The sitemap ${url.href} is larger than 50 MiB, the maximum of its protocol.`, {
			code: "sitemap_too_large",
			hint: "Start from a smaller sitemap, or from a page of the site.",
		});
	return readSitemap(bytes).catch((error: unknown) => {
		throw new SourceError(`The sitemap ${url.href} cannot be read: ${String(error)}.`, {
			code: "sitemap_unreadable",
			hint: "Check it, or start from a page of the site.",
			cause: error,
		});
	});
}
