import { defineConfig } from "tsup";
import { browserBuild, guides, isomorphicBuild } from "../../tsup.base";

const ENTRIES = ["index", "mcp", "mcp-oauth", "a2a", "ag-ui", "ai-sdk", "testing"];

/** Guides for programs that call a service; the package `stemma` has all of them. */
const GUIDES = [
	...["client.md", "front-ends.md", "mcp.md", "a2a.md", "http-api.md", "agent-graph.md"],
	...["glossary.md", "support.md", "troubleshooting.md"],
];

export default defineConfig([
	{ ...isomorphicBuild([...ENTRIES, "node"]), plugins: [guides(GUIDES)] },
	browserBuild(ENTRIES),
]);
