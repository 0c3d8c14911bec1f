import { defineConfig } from "tsup";
import { isomorphicBuild } from "../../tsup.base";

export default defineConfig({
	...isomorphicBuild(["index"]),
	// Hooks are for the browser's half of frameworks that render components on servers.
	banner: { js: '"use client";' },
	// With it the CommonJS file is written by a tool that puts code in front of the directive.
	splitting: false,
});
