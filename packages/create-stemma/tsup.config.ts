import { defineConfig } from "tsup";

export default defineConfig({
	entry: { index: "src/index.ts", main: "src/main.ts" },
	format: ["esm"],
	// Says on old versions of Node what the project needs.
	target: "node18",
	platform: "node",
	dts: { entry: { index: "src/index.ts" } },
	splitting: true,
});
