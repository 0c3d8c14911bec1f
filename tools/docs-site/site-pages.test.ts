import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PUBLISHED } from "../packed/published";
import { root } from "../sources/list-files";
import { PAGE_FILES, toPagePath } from "./site-pages";

const markdown = (folder: string): readonly string[] =>
	readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"));

it("the site has every guide, every package and every document of the project, each once", () => {
	const files = [
		...markdown("."),
		...markdown("docs").map((name) => `docs/${name}`),
		...PUBLISHED.map((name) => `packages/${name}/README.md`),
	];
	expect([...PAGE_FILES].sort()).toEqual(files.sort());
	expect(new Set(PAGE_FILES.map(toPagePath)).size).toBe(files.length);
});
