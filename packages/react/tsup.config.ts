import { mkdir, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Plugin } from "esbuild";
import { defineConfig } from "tsup";
import { isomorphicBuild } from "../../tsup.base";

/**
 * Writes what frameworks that render components on servers get there (condition `react-server`): modules that leave hooks and
 * components to the browser. Those themselves have no such directive, since bundlers of pages warn of it.
 */
const serverEntries: Plugin = {
	name: "entries for servers that render components",
	setup({ initialOptions, onEnd }) {
		if (initialOptions.format !== "esm") return;
		onEnd(async ({ metafile }) => {
			await mkdir("dist/react-server", { recursive: true });
			for (const { entryPoint, exports } of Object.values(metafile?.outputs ?? {}))
				if (entryPoint !== undefined) await writeServerEntry(basename(entryPoint, ".ts"), exports);
		});
	},
};

async function writeServerEntry(name: string, exports: readonly string[]): Promise<void> {
	const file = `dist/react-server/${name}`;
	await writeFile(`${file}.js`, `"use client";\nexport { ${exports.join(", ")} } from "../${name}.js";\n`);
	await writeFile(`${file}.cjs`, `"use client";\nmodule.exports = require("../${name}.cjs");\n`);
}

export default defineConfig({
	...isomorphicBuild(["index", "chat"]),
	// The chat takes the hooks from the other entry, so that a page has them once.
	external: ["@stemma/react"],
	esbuildPlugins: [serverEntries],
});
