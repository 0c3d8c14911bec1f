import { defineConfig } from "tsup";
import { isomorphicBuild } from "../../tsup.base";

export default defineConfig(
	isomorphicBuild(["index", "mcp", "mcp-oauth", "a2a", "ag-ui", "ai-sdk", "testing", "node"]),
);
