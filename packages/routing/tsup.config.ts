import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { defineConfig } from "tsup";
import { browserBuild, isomorphicBuild } from "../../tsup.base";

const ENTRIES = ["index", "extractive", "openai-compatible", "bedrock", "ai-sdk", "rerankers"];

/** The codec uses `fromHex` and `toHex` of an index that bundlers cannot tree-shake: a class of it extends a call. */
const hexEncodingOnly: Plugin = {
	name: "hex encoding only",
	setup({ onResolve }) {
		onResolve({ filter: /^@smithy\/core\/serde$/ }, ({ importer }) => {
			if (!importer.includes("eventstream-codec")) return undefined;
			const core = dirname(createRequire(importer).resolve("@smithy/core/package.json"));
			return { path: join(core, "dist-es/submodules/serde/util-hex-encoding/hex-encoding.js") };
		});
	},
};

const withCodec = {
	esbuildPlugins: [hexEncodingOnly],
	esbuildOptions(options: BuildOptions) {
		// One build for all platforms: the one for browsers needs nothing of Node.
		options.conditions = ["browser"];
	},
};
const build = isomorphicBuild([...ENTRIES, "bedrock.node"]);

export default defineConfig([
	{
		...build,
		...withCodec,
		// In a chunk of its own, so that AWS's codec is left out of pages that do not stream.
		entry: { ...build.entry, "bedrock/event-stream": "src/bedrock/event-stream.ts" },
		dts: { entry: build.entry },
		// AWS's codec goes into the build: as a package it brings 8 MB, of which 3 kB are used.
		noExternal: [/^@smithy\//],
	},
	{ ...browserBuild(ENTRIES), ...withCodec },
]);
