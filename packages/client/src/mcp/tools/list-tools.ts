import type { JsonObject } from "@stemma/core";
import { isJsonObject } from "@stemma/core/internal";
import { safeStringify } from "../../errors/safe-stringify";
import { McpError } from "../mcp-error";
import type { McpTool } from "../wire";

/** The tools of a server, from all pages. */
export interface McpToolList {
	readonly tools: readonly McpTool[];
	/** Lifetime of the list in milliseconds, where the server gives one. */
	readonly ttlMs?: number;
}

const MAX_PAGES = 1000;
const MAX_TOOLS = 10_000;

/**
 * Reads all pages. An empty cursor is one; only where there is none is the list at its end. Of several tools with one name
 * the first counts; what has no name and no schema is none.
 *
 * @param maxCharacters - of all pages together.
 * @throws McpError `list_too_long`, `malformed_response`
 */
export async function readTools(
	request: (params: JsonObject) => Promise<JsonObject>,
	maxCharacters: number,
): Promise<McpToolList> {
	const tools = new Map<string, McpTool>();
	const seen = new Set<string>();
	let ttlMs: number | undefined;
	let size = 0;
	for (let params: JsonObject = {}; ; ) {
		const result = await request(params);
		const text = safeStringify(result.tools);
		if (!Array.isArray(result.tools) || text === undefined)
			throw new McpError("The MCP server's list of tools is not a list.", { code: "malformed_response" });
		for (const tool of result.tools) if (isTool(tool) && !tools.has(tool.name)) tools.set(tool.name, tool);
		if (typeof result.ttlMs === "number") ttlMs = Math.min(ttlMs ?? result.ttlMs, result.ttlMs);
		const { nextCursor: cursor } = result;
		size += text.length;
		if (typeof cursor !== "string")
			return { tools: [...tools.values()], ...(ttlMs !== undefined && { ttlMs }) };
		if (seen.has(cursor) || seen.size >= MAX_PAGES - 1 || tools.size > MAX_TOOLS || size > maxCharacters)
			throw new McpError("The MCP server's list of tools does not end.", {
				code: "list_too_long",
				hint: `A cursor is repeated, or there are more than ${MAX_PAGES} pages or ${MAX_TOOLS} tools, or more than \`maxResultBytes\`.`,
			});
		seen.add(cursor);
		params = { cursor };
	}
}

const isTool = (tool: unknown): tool is McpTool =>
	isJsonObject(tool) && typeof tool.name === "string" && isJsonObject(tool.inputSchema);
