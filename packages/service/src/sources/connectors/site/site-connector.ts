import { SourceError } from "../../source-error";
import type { Connector, ScanContext, SourceItem } from "../connector";
import { createFrontier, type Frontier, type PageTask } from "./frontier";
import { openSite, type Site } from "./open-site";
import { isTrap, mayBeDocument } from "./page-address";
import type { Robots } from "./robots";
import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_PAGES, type SiteSettings } from "./settings";
import { type Visit, visitPage } from "./visit-page";

/** Pages that may fail one after another before the whole site counts as unreachable. */
const MAX_FAILURES_IN_A_ROW = 10;
const MAX_PAGE_REDIRECTS = 10;

/** Connector of web sites: by the links of pages, or by a sitemap. */
export const siteConnector: Connector<SiteSettings> = {
	async *scan(settings, context) {
		const site = await openSite(settings, context);
		const crawl = startCrawl(settings, site, context);
		for (let task = crawl.frontier.next(); task !== undefined; task = crawl.frontier.next()) {
			context.signal.throwIfAborted();
			yield* lookAt(crawl, task);
		}
		const { firstOmitted } = crawl.frontier;
		if (firstOmitted !== undefined) yield toOmitted(firstOmitted, crawl.maxPages);
		if (crawl.isIncomplete) throw incompleteError();
	},
};

/** State of one scan. */
interface Crawl {
	readonly site: Site;
	readonly context: ScanContext;
	readonly frontier: Frontier;
	readonly maxPages: number;
	readonly maxDepth: number;
	/** Pages that have an item. */
	readonly named: Set<string>;
	/** Pages that are copies, by the addresses of their originals. */
	readonly copies: Map<string, PageTask>;
	failuresInARow: number;
	/** True where pages may be missing: links of a page are not known. */
	isIncomplete: boolean;
}

function startCrawl(settings: SiteSettings, site: Site, context: ScanContext): Crawl {
	// One item more says that pages were left out.
	const maxPages = Math.min(settings.max_pages ?? DEFAULT_MAX_PAGES, context.limits.maxItems - 1);
	const frontier = createFrontier(maxPages);
	const maxDepth = site.isSitemap ? 0 : (settings.max_depth ?? DEFAULT_MAX_DEPTH);
	const crawl: Crawl = {
		site,
		context,
		frontier,
		maxPages,
		maxDepth,
		named: new Set(),
		copies: new Map(),
		failuresInARow: 0,
		isIncomplete: false,
	};
	if (!site.isSitemap) frontier.add(toTask(crawl, site.start, 0));
	for (const address of site.pages.keys()) addPage(crawl, new URL(address), 0);
	return crawl;
}

const toTask = ({ site }: Crawl, url: URL, depth: number): PageTask => ({
	url,
	depth,
	sitemapDate: site.pages.get(url.href) ?? null,
	redirects: [],
});

function addPage(crawl: Crawl, address: URL, depth: number): void {
	const url = crawl.site.scope.find(address);
	if (url !== undefined && mayBeDocument(url) && !isTrap(url)) crawl.frontier.add(toTask(crawl, url, depth));
}

async function* lookAt(crawl: Crawl, task: PageTask): AsyncGenerator<SourceItem> {
	const { site, context, named, maxDepth } = crawl;
	const key = task.url.href;
	if (!isAllowed(site.robots, task.url)) {
		yield { kind: "skipped", key, code: "robots_disallowed", message: "robots.txt of the site forbids it." };
		return;
	}
	const visit = await visitPage(task, {
		requests: site.requests,
		context,
		followsLinks: task.depth < maxDepth,
		isOriginal: (canonical) => isOriginal(crawl, canonical),
	});
	assertReachable(crawl, task, visit);
	if (visit.item !== undefined) {
		if (visit.item.kind !== "skipped") named.add(key);
		yield visit.item;
	}
	if (visit.target !== undefined) yield* follow(crawl, task, visit.target, visit.reason);
	addLinks(crawl, task, visit);
	const copy = crawl.copies.get(key);
	if (
		copy === undefined ||
		named.has(key) ||
		(visit.target !== undefined && visit.target.href !== copy.url.href)
	)
		return;
	crawl.copies.delete(key);
	yield* lookAt(crawl, { ...copy, isOriginal: true });
}

const isAllowed = (robots: Robots, { pathname, search }: URL): boolean =>
	robots.isAllowed(`${pathname}${search}`);

function addLinks(crawl: Crawl, { depth }: PageTask, { links }: Visit): void {
	if (depth >= crawl.maxDepth) return;
	if (links === undefined) crawl.isIncomplete = true;
	for (const link of links ?? []) addPage(crawl, link, depth + 1);
}

/** A page that was looked at, and has no item, is nobody's original. */
function isOriginal({ site, frontier, named }: Crawl, canonical: URL): boolean {
	const url = site.scope.find(canonical);
	if (url === undefined || isTrap(url) || !isAllowed(site.robots, url)) return false;
	const state = frontier.find(url.href);
	return state === "done" ? named.has(url.href) : state === "pending" || !frontier.isFull();
}

/** Looks at the page that another has moved to, or is a copy of, later. */
function* follow(crawl: Crawl, task: PageTask, target: URL, reason: Visit["reason"]): Generator<SourceItem> {
	const key = task.url.href;
	const url = crawl.site.scope.find(target);
	const redirects = reason === "redirect" ? [...task.redirects, key] : [];
	if (url === undefined) {
		const message = `The page has moved out of the source, to ${target.origin}.`;
		yield { kind: "skipped", key, code: "redirected_outside", message };
	} else if (redirects.includes(url.href) || redirects.length > MAX_PAGE_REDIRECTS) {
		yield {
			kind: "skipped",
			key,
			code: "redirect_loop",
			message: "Its redirects lead back to where they began.",
		};
	} else {
		if (reason === "canonical") crawl.copies.set(url.href, task);
		crawl.frontier.add({ ...toTask(crawl, url, task.depth), redirects });
	}
}

/** @throws SourceError where the start cannot be read, or one page after the other fails. */
function assertReachable(crawl: Crawl, task: PageTask, { item, status = 0 }: Visit): void {
	const isFailed = item?.kind === "failed";
	crawl.failuresInARow = isFailed ? crawl.failuresInARow + 1 : 0;
	const isStart = !crawl.site.isSitemap && task.url.href === crawl.site.start.href;
	if (isStart && (isFailed || status >= 400)) {
		const reason = isFailed ? item.message : `It responded with ${status}.`;
		throw new SourceError(`The page that the source starts from cannot be read. ${reason}`, {
			code: "start_unavailable",
			hint: "Check `url`, or try again later. No document was deleted.",
		});
	}
	if (crawl.failuresInARow < MAX_FAILURES_IN_A_ROW) return;
	throw new SourceError(
		`${MAX_FAILURES_IN_A_ROW} pages in a row could not be read, the last since: ${item?.kind === "failed" ? item.message : ""}`,
		{
			code: "site_unavailable",
			hint: "Try again later, or set a longer pause between requests. No document was deleted.",
		},
	);
}

const toOmitted = (key: string, maxPages: number): SourceItem => ({
	kind: "skipped",
	key,
	code: "too_many_pages",
	message: `This page and those found after it are left out: the source has more than ${maxPages.toLocaleString("en")} pages, its maximum.`,
});

const incompleteError = (): SourceError =>
	new SourceError("A page with very many links could not be read, so that pages behind it may be missing.", {
		code: "scan_incomplete",
		hint: "Try again later. No document was deleted.",
	});
