import { join } from "node:path";

export default {
	mode: "production",
	entry: "./main.js",
	output: { path: join(import.meta.dirname, "built/webpack") },
	// React alone is more than what it warns of.
	performance: { hints: false },
	stats: "errors-warnings",
};
