import { defineConfig } from "tsup";
import { isomorphicBuild } from "../../tsup.base";

export default defineConfig(isomorphicBuild(["index", "mcp", "a2a", "testing", "node"]));
