import { defineConfig } from "tsup";
import { isomorphicBuild } from "../../tsup.base";

export default defineConfig({
	...isomorphicBuild(["index", "chat"]),
	// Hooks are for the browser's half of frameworks that render components on servers.
	banner: { js: '"use client";' },
	// With it the CommonJS file is written by a tool that puts code in front of the directive.
	splitting: false,
	// The chat takes the hooks from the other entry, so that a page has them once.
	external: ["@stemma/react"],
});
