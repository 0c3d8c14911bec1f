import { defineConfig } from "tsup";
import { guides } from "../../tsup.base";

export default defineConfig({
	// `internal` is for `npm start` alone and is not published.
	entry: { main: "src/main.ts", internal: "src/internal.ts" },
	format: ["esm"],
	target: "node22",
	platform: "node",
	plugins: [guides()],
});
