import { readdir, readFile } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";

/** HTML page of a built site. */
interface BuiltPage {
	/** Path from the folder of the site, with slashes. */
	readonly path: string;
	readonly links: readonly string[];
	readonly ids: ReadonlySet<string>;
}

const LINK = /<(?:a|area|link|script|img|source)\b[^>]*?\s(?:href|src)="([^"]*)"/g;
const ID = /\s(?:id|name)="([^"]+)"/g;

/**
 * Finds links between the files of a built site that lead nowhere, each with its page: to a file, or to a place in a page.
 *
 * @param base - path of the site on its host.
 */
export async function findDeadLinks(folder: string, base: string): Promise<readonly string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => entry.isFile())
		.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
	const pages = new Map<string, BuiltPage>();
	for (const path of files.filter((file) => file.endsWith(".html")))
		pages.set(path, readPage(path, await readFile(join(folder, path), "utf8")));
	const known = new Set(files);
	return [...pages.values()].flatMap((page) =>
		page.links
			.filter((link) => isDead(link, page, { base, known, pages }))
			.map((link) => `${page.path}: ${link}`),
	);
}

function readPage(path: string, html: string): BuiltPage {
	const links = [...html.matchAll(LINK)].map(([, link = ""]) => link.replaceAll("&amp;", "&"));
	return { path, links: [...new Set(links)], ids: new Set([...html.matchAll(ID)].map(([, id = ""]) => id)) };
}

interface Site {
	readonly base: string;
	readonly known: ReadonlySet<string>;
	readonly pages: ReadonlyMap<string, BuiltPage>;
}

function isDead(link: string, page: BuiltPage, { base, known, pages }: Site): boolean {
	if (/^[a-z]+:/.test(link)) return false;
	const [target = "", anchor = ""] = link.split("#");
	const path = decodeURIComponent(target.split("?")[0] ?? "");
	if (path.startsWith("/") && !path.startsWith(base)) return true;
	const inSite = path.startsWith("/") ? path.slice(base.length) : posix.join(posix.dirname(page.path), path);
	const file = toFile(path === "" ? page.path : inSite, known);
	if (file === undefined) return true;
	const ids = pages.get(file)?.ids;
	return anchor !== "" && ids !== undefined && !ids.has(decodeURIComponent(anchor));
}

const toFile = (path: string, known: ReadonlySet<string>): string | undefined =>
	[path, `${path}index.html`, `${path}/index.html`, `${path}.html`]
		.map((candidate) => posix.normalize(candidate))
		.find((candidate) => known.has(candidate));
