import { existsSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { REPOSITORY } from "../packed/readme-links";
import { PAGE_FILES, toPagePath } from "./site-pages";

/** Files of the repository that the site has as they are, and where. */
const COPIED_FILES: Readonly<Record<string, string>> = {
	"docs/openapi.json": "/http/openapi.json",
	"docs/openapi-runtime.json": "/http/openapi-runtime.json",
	"docs/llms.txt": "/llms.txt",
};

/**
 * Turns a link of a Markdown file into one of the site: to its page, or to the file on the web where the site has none.
 *
 * @param file - the link is in, from the root of the repository.
 * @param root - of the repository.
 * @param ref - branch or tag that links to the web name.
 */
export function toSiteLink(link: string, file: string, { root, ref }: { root: string; ref: string }): string {
	const [target = "", anchor] = link.split("#");
	const path = toRepositoryPath(target, file);
	if (path === undefined) return link;
	const hash = anchor === undefined ? "" : `#${anchor}`;
	const page = [path, `${path}/README.md`].find((candidate) => PAGE_FILES.includes(candidate));
	if (page !== undefined) return `/${toPagePath(page)}.md${hash}`;
	const copied = COPIED_FILES[path];
	if (copied !== undefined) return copied;
	const isFolder = existsSync(join(root, path)) && statSync(join(root, path)).isDirectory();
	return `${REPOSITORY}/${isFolder ? "tree" : "blob"}/${ref}/${path}${hash}`;
}

/** Path from the root of the repository; `undefined` for a place in the page itself, and for addresses of others. */
function toRepositoryPath(target: string, file: string): string | undefined {
	// READMEs on npm name files of the repository so.
	const [, onWeb] = new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/(.+)$`).exec(target) ?? [];
	if (onWeb === undefined && (target === "" || /^[a-z]+:/.test(target))) return undefined;
	const path = onWeb ?? posix.join(posix.dirname(file), decodeURIComponent(target));
	return posix.normalize(path).replace(/\/$/, "");
}
