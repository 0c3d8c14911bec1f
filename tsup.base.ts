import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve } from "node:path";
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
