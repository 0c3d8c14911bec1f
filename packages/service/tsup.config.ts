import { defineConfig } from "tsup";

export default defineConfig({
	entry: {
		index: "src/index.ts",
		documents: "src/documents.ts",
		"database-thread": "src/store/database-thread.ts",
	},
	format: ["esm"],
	target: "node22",
	platform: "node",
	dts: { entry: { index: "src/index.ts", documents: "src/documents.ts" } },
	sourcemap: true,
	splitting: true,
});
