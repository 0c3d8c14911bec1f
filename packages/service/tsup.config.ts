import { readFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";

/** Takes the comments out of bundled packages: those within classes would stay, and Node keeps the text of its modules. */
const withoutComments: NonNullable<Options["esbuildPlugins"]>[number] = {
	name: "bundled packages without comments",
	setup({ onLoad, esbuild }) {
		onLoad({ filter: /node_modules.(?:kysely|zod).*\.m?js$/ }, async ({ path }) => {
			const { code } = await esbuild.transform(await readFile(path, "utf8"), { minifyWhitespace: true });
			return { contents: code, loader: "js" };
		});
	},
};

export default defineConfig({
	entry: {
		index: "src/index.ts",
		"database-thread": "src/store/worker-threads/database-thread.ts",
		"document-process": "src/knowledge/ingest/reading/document-process.ts",
		"built-in-thread": "src/models/built-in-thread.ts",
		"embedded-thread": "src/models/embedded/embedded-thread.ts",
		"words-thread": "src/store/postgres/knowledge/word-index/words-thread.ts",
		"schema-check-thread": "src/schema-check/schema-check-thread.ts",
		// For tests of what was built; the package does not export them.
		"document-reader": "src/knowledge/ingest/reading/document-reader.ts",
		"schema-checker": "src/schema-check/schema-checker.ts",
		"word-collector": "src/store/postgres/knowledge/word-index/word-collector.ts",
		"embedded-model": "src/models/embedded/embedded-model.ts",
	},
	format: ["esm"],
	target: "node22",
	platform: "node",
	// `node:sqlite` has no other name.
	removeNodeProtocol: false,
	dts: { entry: { index: "src/index.ts" } },
	splitting: true,
	// Their hundreds of modules take 7 MB more when they are loaded one by one.
	noExternal: ["kysely", "zod"],
	esbuildPlugins: [withoutComments],
});
