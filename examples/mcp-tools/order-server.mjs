import { realpathSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
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

/** Listens on this machine: on a free port, and for whoever asks, unless it is told otherwise. */
export async function startOrderServer({ port = 0, token } = {}) {
	const handle = toNodeHandler(createMcpHandler(createOrderServer));
	const server = createServer((request, response) => {
		if (token === undefined || request.headers.authorization === `Bearer ${token}`)
			return handle(request, response);
		response.writeHead(401, { "www-authenticate": "Bearer" }).end();
	});
	await new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, "127.0.0.1", resolve);
	});
	return { url: `http://127.0.0.1:${server.address().port}/mcp`, close: () => server.close() };
}

// Started by itself: node order-server.mjs --port 4391 --token secret
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
	const { values } = parseArgs({ options: { port: { type: "string" }, token: { type: "string" } } });
	const { url } = await startOrderServer({ port: Number(values.port ?? 0), token: values.token });
	console.log(`The order server listens on ${url}`);
}
