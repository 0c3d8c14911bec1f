import { defineConfig } from "tsup";

export default defineConfig({
	entry: {
		index: "src/index.ts",
		"database-thread": "src/store/threads/database-thread.ts",
		"document-process": "src/knowledge/ingest/document-process.ts",
		"built-in-thread": "src/models/built-in-thread.ts",
		"schema-check-thread": "src/schema-check/schema-check-thread.ts",
		// For tests of what was built; the package does not export them.
		"document-reader": "src/knowledge/ingest/document-reader.ts",
		"schema-checker": "src/schema-check/schema-checker.ts",
	},
	format: ["esm"],
	target: "node22",
	platform: "node",
	// `node:sqlite` has no other name.
	removeNodeProtocol: false,
	dts: { entry: { index: "src/index.ts" } },
	sourcemap: true,
	splitting: true,
	// Their hundreds of modules take 7 MB more when they are loaded one by one.
	noExternal: ["kysely", "zod"],
});
