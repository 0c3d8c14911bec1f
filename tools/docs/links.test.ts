import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { findDeadLink, listAnchors, listLinks } from "../packed/readme-links";
import { root } from "../sources/list-files";

const list = ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"];
const pages = execFileSync("git", list, { cwd: root, encoding: "utf8" })
	.trim()
	.split("\n")
	// Fixtures and documents of others; those of the template stand elsewhere once they are used.
	.filter((page) => !/^examples\/\w+\/documents\/|__fixtures__|\/vectors\/|\/template\//.test(page))
	.filter((page) => existsSync(join(root, page)));

/** Links of a page to files and headings that the repository does not have. */
function findDeadLinks(page: string): readonly string[] {
	const text = readFileSync(join(root, page), "utf8");
	return listLinks(text).flatMap((link) => {
		const [path = "", anchor] = link.split("#");
		if (path === "" || /^[a-z]+:/.test(path)) return findDeadLink(link, text, root) ?? [];
		const file = join(root, dirname(page), decodeURIComponent(path));
		if (!existsSync(file)) return [`${link} names no file`];
		if (anchor === undefined || statSync(file).isDirectory()) return [];
		return listAnchors(readFileSync(file, "utf8")).includes(anchor) ? [] : [`${link} names no heading`];
	});
}

it("finds pages", () => {
	expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/client.md", "packages/client/README.md"]));
});

it.each(pages)("%s has no dead link", (page) => {
	expect(findDeadLinks(page)).toEqual([]);
});
