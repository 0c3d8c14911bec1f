import { defineConfig } from "tsup";
import { isomorphicBuild } from "../../tsup.base";

// Hooks are for the browser's half of frameworks that render components on servers.
export default defineConfig({ ...isomorphicBuild(["index"]), banner: { js: '"use client";' } });
