import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Options } from "tsup";

/** Takes the builder's folders out of source maps: tsup writes the whole path of a CommonJS file into its map. */
export const relativeMaps: NonNullable<Options["plugins"]>[number] = {
	name: "relative maps",
	async buildEnd({ writtenFiles }) {
		for (const { name } of writtenFiles.filter(({ name }) => name.endsWith(".map"))) {
			const { sources, ...map } = JSON.parse(await readFile(name, "utf8")) as { readonly sources: string[] };
			const folder = dirname(resolve(name));
			const file = basename(name, ".map");
			const relativeSources = sources.map((path) => (isAbsolute(path) ? relative(folder, path) : path));
			await writeFile(name, JSON.stringify({ ...map, file, sources: relativeSources }));
		}
	},
};

/** The build that every isomorphic package shares: ESM and CJS with types for both, one file per entry of `src`. */
export function isomorphicBuild(entries: readonly string[]) {
	return {
		entry: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
		format: ["esm", "cjs"],
		target: "es2022",
		platform: "neutral",
		dts: true,
		sourcemap: true,
		splitting: true,
		treeshake: false,
		plugins: [relativeMaps],
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
 * built without them.
 *
 * @param names - such as `client.md`; default: all.
 */
export const guides = (names?: readonly string[]): NonNullable<Options["plugins"]>[number] => ({
	name: "guides",
	async buildEnd() {
		const folder = join(root, "docs");
		if (!existsSync(folder)) return;
		await mkdir("dist/docs", { recursive: true });
		const texts = names ?? (await readdir(folder)).filter((name) => /\.(?:md|txt)$/.test(name));
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
