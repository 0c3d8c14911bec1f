// An MCP server of the official SDK, for both eras; prints its address.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

function createTools() {
	const server = new McpServer({ name: "bench", version: "1.0.0" });
	server.registerTool(
		"add",
		{
			inputSchema: z.object({ a: z.number(), b: z.number() }),
			outputSchema: z.object({ sum: z.number() }),
		},
		({ a, b }) => ({ content: [{ type: "text", text: `${a + b}` }], structuredContent: { sum: a + b } }),
	);
	return server;
}

const server = createServer(toNodeHandler(createMcpHandler(createTools)));
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/mcp`));
