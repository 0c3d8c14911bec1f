import { defineConfig } from "tsup";

const shared = { target: "node18", platform: "node", sourcemap: true, splitting: false } as const;

export default defineConfig([
	{ ...shared, entry: { index: "src/index.ts" }, format: ["esm", "cjs"], dts: true },
	{ ...shared, entry: { main: "src/main.ts" }, format: ["esm"] },
]);
