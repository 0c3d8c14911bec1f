import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

// Somebody's MCP server, built with the official SDK: it knows orders.
const orders = { A7: { status: "shipped", arrives: "Friday" }, B2: { status: "packed", arrives: "Monday" } };

function createOrderServer() {
	const server = new McpServer({ name: "orders", version: "1.0.0" });
	server.registerTool(
		"find_order",
		{
			description: "Finds an order by its number.",
			inputSchema: z.object({ number: z.string().describe("A letter and a digit, such as A7") }),
			outputSchema: z.object({ status: z.string(), arrives: z.string() }),
		},
		async ({ number }) => {
			const order = orders[number];
			if (order === undefined)
				return { content: [{ type: "text", text: `There is no order ${number}.` }], isError: true };
			return { content: [{ type: "text", text: JSON.stringify(order) }], structuredContent: order };
		},
	);
	return server;
}

/** Listens on a free port of this machine. */
export async function startOrderServer() {
	const server = createServer(toNodeHandler(createMcpHandler(createOrderServer)));
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${server.address().port}/mcp`, close: () => server.close() };
}
