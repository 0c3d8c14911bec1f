import type { Options } from "tsup";

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
	} satisfies Options;
}
