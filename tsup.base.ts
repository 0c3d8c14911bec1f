import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Options } from "tsup";

/** The build that every isomorphic package shares: ESM and CJS with types for both, one file per entry of `src`. */
export function isomorphicBuild(entries: readonly string[]) {
	return {
		entry: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
		format: ["esm", "cjs"],
		target: "es2022",
		platform: "neutral",
		dts: true,
		splitting: true,
		treeshake: false,
	} satisfies Options;
}

/**
 * The build for pages without a bundler: ESM below `dist/browser`, with all that the entries import, so that an import map names
 * only what the page itself imports. `exports` has no path to it: a bundler that took it would load `core` twice.
 */
export function browserBuild(entries: readonly string[]) {
	return {
		entry: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
		outDir: "dist/browser",
		format: ["esm"],
		target: "es2022",
		platform: "browser",
		noExternal: [/./],
		minify: true,
		splitting: true,
		treeshake: false,
	} satisfies Options;
}

const root = fileURLToPath(new URL(".", import.meta.url));
const REPOSITORY = "https://github.com/stemma-ai/stemma";

/** A guide whose links out of `docs/` are addresses on the web, for a copy that stands elsewhere. */
export const withAbsoluteLinks = (guide: string): string =>
	guide.replaceAll(/\]\(\.\.\/([^)#\s]+)/g, (_, path: string) => {
		const file = path.replace(/\/$/, "");
		const isFolder = existsSync(join(root, file)) && statSync(join(root, file)).isDirectory();
		return `](${REPOSITORY}/${isFolder ? "tree" : "blob"}/main/${file}`;
	});

/**
 * Copies guides into `dist/docs`, so that people and coding assistants read those of the version that is installed. An image is
 * built without any: all that it has of `docs/` are the OpenAPI documents.
 *
 * @param names - such as `client.md`; default: all.
 */
export const guides = (names?: readonly string[]): NonNullable<Options["plugins"]>[number] => ({
	name: "guides",
	async buildEnd() {
		const folder = join(root, "docs");
		const files = existsSync(folder) ? await readdir(folder) : [];
		const all = files.filter((name) => /\.(?:md|txt)$/.test(name));
		if (all.length === 0) return;
		await mkdir("dist/docs", { recursive: true });
		const texts = names ?? all;
		for (const name of texts) {
			const guide = withAbsoluteLinks(await readFile(join(folder, name), "utf8"));
			await writeFile(join("dist/docs", name), withOwnLinks(guide, texts));
		}
	},
});

/** Links to guides and pictures that are not copied lead to the web, too. */
const withOwnLinks = (guide: string, names: readonly string[]): string =>
	guide.replaceAll(/\]\(((?:pictures\/)?[\w-]+\.(?:md|json|png))/g, (link, name: string) =>
		names.includes(name) ? link : `](${REPOSITORY}/blob/main/docs/${name}`,
	);
