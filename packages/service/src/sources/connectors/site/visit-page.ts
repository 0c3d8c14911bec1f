import { clock } from "@stemma/core/internal";
import { findFormat } from "@stemma/documents";
import { SourceError } from "../../source-error";
import type { FailedItem, ScanContext, SkippedItem, SourceItem, SourceResponse } from "../connector";
import { readBody } from "../read-body";
import type { PageTask } from "./frontier";
import { decodePath, toPageAddress } from "./page-address";
import { hashPage, isCurrent, type PageVersion, readVersion, writeVersion } from "./page-version";
import { readPageLinks } from "./read-page-links";
import type { SiteRequests } from "./site-requests";

/** Result of looking at one page. */
export interface Visit {
	/** `undefined` for a page that is gone, has moved, or is a copy of another. */
	readonly item?: SourceItem | undefined;
	/** Addresses that the page links to; `undefined` where they are not known, though the page was read once. */
	readonly links?: readonly URL[] | undefined;
	/** Address that the page has moved to, or is a copy of. */
	readonly target?: URL | undefined;
	/** Reason for which the target is looked at in place of the page. */
	readonly reason?: "redirect" | "canonical";
	/** Status of the response, where there was one. */
	readonly status?: number;
}

/** Environment of a visit, besides its page. */
export interface VisitOptions {
	readonly requests: SiteRequests;
	readonly context: Pick<ScanContext, "find" | "limits" | "isDocument">;
	/** Links of pages matter: a page is not asked conditionally where those of the last time were not kept. */
	readonly followsLinks: boolean;
	/** Checks whether the page that a page names as its original is one of the source. */
	isOriginal(canonical: URL): boolean;
}

/** Looks at one page, and requests it only where that is necessary. */
export async function visitPage(task: PageTask, options: VisitOptions): Promise<Visit> {
	const key = task.url.href;
	const known = readVersion((await options.context.find(key))?.version);
	const isConditional = known !== undefined && (known.links !== null || !options.followsLinks);
	if (isConditional && isCurrent(known, task.sitemapDate)) return toUnchanged(key, known);
	try {
		const headers = isConditional ? toConditions(known) : {};
		const response = await options.requests.get(task.url, {
			headers,
			maxRedirects: 0,
			maxBytes: Number.MAX_SAFE_INTEGER,
		});
		return await readResponse(response, { task, known, options });
	} catch (error) {
		if (!SourceError.is(error)) throw error;
		return { item: failed(key, error.code, error.message), links: toLinks(known) };
	}
}

interface OpenVisit {
	readonly task: PageTask;
	readonly known: PageVersion | undefined;
	readonly options: VisitOptions;
}

const toConditions = ({ etag, lastModified }: PageVersion): Readonly<Record<string, string>> => ({
	...(etag === null ? {} : { "if-none-match": etag }),
	...(lastModified === null ? {} : { "if-modified-since": lastModified }),
});

const toUnchanged = (key: string, known: PageVersion): Visit => ({
	item: { kind: "unchanged", key },
	links: toLinks(known),
});

/** Links of the last time; none of a page that was never read. */
const toLinks = (known: PageVersion | undefined): readonly URL[] | undefined =>
	known === undefined ? [] : known.links?.map((link) => new URL(link));

const failed = (key: string, code: string, message: string): FailedItem => ({
	kind: "failed",
	key,
	code,
	message,
});
const skipped = (key: string, code: string, message: string): SkippedItem => ({
	kind: "skipped",
	key,
	code,
	message,
});

async function readResponse(response: SourceResponse, visit: OpenVisit): Promise<Visit> {
	const { task, known } = visit;
	const { status, headers, body } = response;
	const key = task.url.href;
	if (status === 200) return readContent(response, visit);
	await body?.cancel();
	if (status === 304 && known !== undefined) return toUnchanged(key, known);
	if (status === 404 || status === 410) return { links: [], status };
	const location = headers.get("location");
	if (status >= 300 && status < 400 && location !== null) {
		const target = toPageAddress(location, task.url);
		if (target !== undefined) return { target, reason: "redirect", links: [], status };
	}
	const code = status === 429 ? "rate_limited" : status >= 500 ? "server_error" : "http_error";
	return { item: failed(key, code, `The page responded with ${status}.`), links: toLinks(known), status };
}

async function readContent(response: SourceResponse, visit: OpenVisit): Promise<Visit> {
	const { isDocument, limits } = visit.options.context;
	const { maxItemBytes, maxItemMs } = limits;
	const key = visit.task.url.href;
	const mediaType = response.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
	const fileName = toFileName(visit.task.url, mediaType);
	if (!isDocument(fileName, mediaType)) {
		await response.body?.cancel();
		const message = `Files of the type ${mediaType || "(none)"} are not read.`;
		return { item: skipped(key, "unsupported_format", message), links: [] };
	}
	const bytes = await readBody(response, maxItemBytes, maxItemMs);
	if (bytes === undefined) {
		const message = `The page is larger than ${maxItemBytes.toLocaleString("en")} bytes, the maximum.`;
		return { item: skipped(key, "too_large", message), links: [] };
	}
	return isHtml(mediaType)
		? readHtmlPage(bytes, { ...visit, response, fileName, mediaType })
		: toContent(bytes, [], { ...visit, response, fileName, mediaType });
}

const isHtml = (mediaType: string): boolean => /^(?:text\/html|application\/xhtml\+xml)$/u.test(mediaType);

/** Name by which the format is found. A page about a file has the name of the file, but is HTML. */
function toFileName({ pathname, hostname }: URL, mediaType: string): string {
	const name = decodePath(pathname.split("/").at(-1) ?? "") || hostname;
	const isPlain = findFormat(name)?.apiName === "html" || !isHtml(mediaType);
	return isPlain ? name : `${name}.html`;
}

interface ReadVisit extends OpenVisit {
	readonly response: SourceResponse;
	readonly fileName: string;
	readonly mediaType: string;
}

async function readHtmlPage(bytes: Uint8Array, visit: ReadVisit): Promise<Visit> {
	const { task, options, response } = visit;
	const key = task.url.href;
	const page = await readPageLinks(bytes, task.url, response.headers.get("x-robots-tag"));
	const links = page.links.filter(({ host }) => host === task.url.host);
	if (page.isNoIndex) return { item: skipped(key, "noindex", "The page asks not to be indexed."), links };
	const { canonical } = page;
	if (
		canonical !== undefined &&
		canonical.href !== key &&
		task.isOriginal !== true &&
		options.isOriginal(canonical)
	)
		return { target: canonical, reason: "canonical", links };
	return toContent(bytes, links, visit);
}

async function toContent(bytes: Uint8Array, links: readonly URL[], visit: ReadVisit): Promise<Visit> {
	const { task, known, response, fileName, mediaType } = visit;
	const key = task.url.href;
	const hash = await hashPage(bytes);
	if (known?.hash === hash) return { item: { kind: "unchanged", key }, links };
	const version = writeVersion({
		etag: response.headers.get("etag"),
		lastModified: response.headers.get("last-modified"),
		hash,
		sitemapDate: task.sitemapDate,
		fetchedAt: clock.now(),
		links: links.map(({ href }) => href),
	});
	const item = {
		kind: "content",
		key,
		version,
		fileName,
		title: null,
		url: key,
		mediaType: mediaType || null,
		bytes,
	} as const;
	return { item, links };
}
