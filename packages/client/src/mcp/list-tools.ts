import type { JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { McpError } from "./mcp-error";
import type { McpTool } from "./wire";
import { writeJson } from "./write-json";

/** The tools of a server, from all pages. */
export interface McpToolList {
	readonly tools: readonly McpTool[];
	/** For how long the list holds, in milliseconds, where the server says so. */
	readonly ttlMs?: number;
}

const MOST_PAGES = 1000;
const MOST_TOOLS = 10_000;

/**
 * Reads all pages. An empty cursor is one; only where there is none is the list at its end. Of several tools with one name
 * the first counts; what has no name and no schema is none.
 *
 * @param mostCharacters - of all pages together.
 * @throws McpError `list_too_long`, `malformed_answer`
 */
export async function readTools(
	request: (params: JsonObject) => Promise<JsonObject>,
	mostCharacters: number,
): Promise<McpToolList> {
	const tools = new Map<string, McpTool>();
	const seen = new Set<string>();
	let ttlMs: number | undefined;
	let size = 0;
	for (let params: JsonObject = {}; ; ) {
		const result = await request(params);
		const text = writeJson(result.tools);
		if (!Array.isArray(result.tools) || text === undefined)
			throw new McpError("The MCP server's list of tools is none.", { code: "malformed_answer" });
		for (const tool of result.tools as readonly unknown[])
			if (isTool(tool) && !tools.has(tool.name)) tools.set(tool.name, tool);
		if (typeof result.ttlMs === "number") ttlMs = Math.min(ttlMs ?? result.ttlMs, result.ttlMs);
		const { nextCursor: cursor } = result;
		size += text.length;
		if (typeof cursor !== "string")
			return { tools: [...tools.values()], ...(ttlMs !== undefined && { ttlMs }) };
		if (seen.has(cursor) || seen.size >= MOST_PAGES - 1 || tools.size > MOST_TOOLS || size > mostCharacters)
			throw new McpError("The MCP server's list of tools does not end.", {
				code: "list_too_long",
				hint: `A cursor comes twice, or there are more than ${MOST_PAGES} pages or ${MOST_TOOLS} tools, or more than \`maxResultBytes\`.`,
			});
		seen.add(cursor);
		params = { cursor };
	}
}

const isTool = (tool: unknown): tool is McpTool =>
	isJsonObject(tool) && typeof tool.name === "string" && isJsonObject(tool.inputSchema);
