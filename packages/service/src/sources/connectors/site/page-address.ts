/** Address of a page in the one form that it is known by; `undefined` for what is no page of a web site. */
export function toPageAddress(href: string, base?: URL): URL | undefined {
	const url = URL.parse(href.trim(), base);
	if (url === null || !/^https?:$/u.test(url.protocol) || `${url.username}${url.password}` !== "")
		return undefined;
	url.hash = "";
	url.pathname = normalizeCodes(url.pathname);
	url.search = sortParameters(url.search);
	return url;
}

/** Encoded characters that need no code are written plainly, all other codes in capitals (RFC 3986, section 6.2.2). */
const normalizeCodes = (path: string): string =>
	path.replace(/%[\da-f]{2}/giu, (code) => {
		const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
		return /[\w~-]/u.test(character) ? character : code.toUpperCase();
	});

/** Parameters that tell where a visitor came from, and change nothing of the page. */
const TRACKING = /^(?:utm_\w+|gclid|fbclid|mc_[ce]id)(?:=|$)/iu;

function sortParameters(search: string): string {
	const parameters = search.slice(1).split("&");
	const kept = parameters.filter((parameter) => parameter !== "" && !TRACKING.test(parameter));
	const sorted = kept
		.sort((a, b) =>
			toParameterName(a) < toParameterName(b) ? -1 : toParameterName(a) > toParameterName(b) ? 1 : 0,
		)
		.join("&");
	return sorted === "" ? "" : `?${sorted}`;
}

const toParameterName = (parameter: string): string => parameter.split("=", 1)[0] ?? "";

const MAX_PAGE_ADDRESS_CHARACTERS = 1_000;
const MAX_PATH_SEGMENTS = 24;
const MAX_SAME_SEGMENTS = 3;
const MAX_PARAMETERS = 8;

/** Checks for an address that a site makes without end: calendars, filters, links that add to their own path. */
export function isTrap({ href, pathname, search }: URL): boolean {
	const segments = pathname.split("/").filter(Boolean);
	const counts = new Map<string, number>();
	for (const segment of segments) counts.set(segment, (counts.get(segment) ?? 0) + 1);
	return (
		href.length > MAX_PAGE_ADDRESS_CHARACTERS ||
		segments.length > MAX_PATH_SEGMENTS ||
		Math.max(0, ...counts.values()) > MAX_SAME_SEGMENTS ||
		search.split("&").length > MAX_PARAMETERS
	);
}

/** Extensions of files that a page consists of, or that are no documents. */
const NO_DOCUMENT =
	/\.(?:css|m?js|map|wasm|json|xml|rss|atom|png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|woff2?|ttf|otf|eot|mp[34]|m4[av]|webm|og[gv]|wav|avi|mov|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|dmg|msi|deb|rpm|iso|jar|apk)$/iu;

/** Checks whether a link may lead to a document, by its name. */
export const mayBeDocument = ({ pathname }: URL): boolean => !NO_DOCUMENT.test(pathname);

/** Pages that belong to a source. */
export interface SiteScope {
	/** Address as the site has it: by TLS where the site is, too. `undefined` outside of the scope. */
	find(url: URL): URL | undefined;
}

/**
 * Scope of one host, below a path.
 *
 * @param isIncluded - filter of paths.
 */
export function createScope(start: URL, prefix: string, isIncluded: (path: string) => boolean): SiteScope {
	return {
		find(url) {
			if (url.host !== start.host || !url.pathname.startsWith(prefix)) return undefined;
			if (!isIncluded(decodePath(url.pathname))) return undefined;
			if (url.protocol === start.protocol) return url;
			// One host with and without TLS is one site, where it has no port of its own.
			return url.port === ""
				? (URL.parse(url.href.replace(/^https?:/u, start.protocol)) ?? undefined)
				: undefined;
		},
	};
}

/** Decodes the percent-encoding of a path, if it is valid. */
export function decodePath(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}

/** Folder that a page is in: all below it belongs to the site that begins there. */
export const folderOf = ({ pathname }: URL): string => pathname.slice(0, pathname.lastIndexOf("/") + 1);
