import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Address of the repository on the web, without a slash at its end. */
export const REPOSITORY = "https://github.com/stemma-ai/stemma";

const FENCE = /^```[\s\S]*?^```$/gm;
const LINK = /\]\(([^)\s]+)(?: "[^"]*")?\)|\b(?:href|src)="([^"]+)"|^\[[^\]]+\]: (\S+)/gm;

/** Lists where the links and pictures of a page lead; code is left out. */
export const listLinks = (markdown: string): readonly string[] =>
	[...markdown.replaceAll(FENCE, "").matchAll(LINK)].map(
		([, inline, attribute, reference]) => inline ?? attribute ?? reference ?? "",
	);

/** Anchor that GitHub gives to a heading. */
export const toAnchor = (heading: string): string =>
	heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
		.replaceAll(/\s/g, "-");

/** Anchors that GitHub gives to the headings of a page. */
export const listAnchors = (markdown: string): readonly string[] =>
	[...markdown.replaceAll(FENCE, "").matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) =>
		toAnchor(heading),
	);

/**
 * Says why a link of a packed README is dead on npm, which shows the file alone: it is relative, or names a file or heading that
 * the repository in `root` does not have. `undefined` for a good link, and for one to another site.
 */
export function findDeadLink(link: string, page: string, root: string): string | undefined {
	const [target = "", anchor] = link.split("#");
	if (target === "") return toMissingAnchor(link, page, anchor);
	if (!/^https?:\/\//.test(target)) return `${link} is relative`;
	if (!target.startsWith(REPOSITORY)) return undefined;
	const [, kind, path = ""] = /^\/(blob|tree)\/main\/(.*?)\/?$/.exec(target.slice(REPOSITORY.length)) ?? [];
	if (kind === undefined) return undefined;
	const file = join(root, path);
	if (!existsSync(file)) return `${link} names no file of the repository`;
	return anchor === undefined ? undefined : toMissingAnchor(link, readFileSync(file, "utf8"), anchor);
}

const toMissingAnchor = (link: string, page: string, anchor = ""): string | undefined =>
	listAnchors(page).includes(anchor) ? undefined : `${link} names no heading`;
