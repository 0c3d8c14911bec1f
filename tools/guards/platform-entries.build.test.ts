import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { describe, expect, it } from "vitest";
import { ISOMORPHIC } from "../packed/packed-consumer";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));

/** How bundlers look for files on platforms that are not Node. */
const PLATFORMS: Readonly<Record<string, BuildOptions>> = {
	"a browser": { platform: "browser", conditions: ["import"] },
	"React Native": {
		platform: "neutral",
		conditions: ["react-native", "require"],
		mainFields: ["react-native", "browser", "main"],
	},
};

/** What code can be imported from a package: `@stemma/core`, `@stemma/core/errors`. */
function listEntries(folder: string): string[] {
	const { name, exports } = JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8"));
	return Object.keys(exports)
		.filter((path) => !path.endsWith(".json"))
		.map((path) => path.replace(".", name));
}

/** All that the files of an entry and its dependencies import by name or by path. */
async function listImports(entry: string, folder: string, platform: BuildOptions): Promise<string[]> {
	const { metafile } = await build({
		...platform,
		stdin: { contents: `export * from "${entry}";`, resolveDir: join(packages, folder) },
		bundle: true,
		write: false,
		metafile: true,
		logLevel: "silent",
		// Not the sources, which is where the paths of the workspace lead.
		tsconfigRaw: {},
		// Else a builtin could not be resolved; it is named below instead.
		plugins: [
			{
				name: "builtins",
				setup: ({ onResolve }) =>
					onResolve({ filter: /.*/ }, ({ path }) => (isBuiltin(path) ? { path, external: true } : undefined)),
			},
		],
	});
	const { inputs } = metafile ?? { inputs: {} };
	return Object.values(inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
}

const entries = ISOMORPHIC.flatMap((folder) => listEntries(folder).map((entry) => ({ folder, entry })));

describe.each(Object.entries(PLATFORMS))("bundled for %s", (_, platform) => {
	it.each(entries)("$entry imports nothing of Node", async ({ entry, folder }) => {
		const imports = await listImports(entry, folder, platform);
		expect(imports.length).toBeGreaterThan(0);
		expect(imports.filter((path) => isBuiltin(path) || path.includes(".node."))).toEqual([]);
	});
});
