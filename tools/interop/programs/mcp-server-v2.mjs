import { toNodeHandler } from "@modelcontextprotocol/node";
import {
	acceptedContent,
	createMcpHandler,
	inputRequired,
	McpServer,
	Server,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { createPeer } from "./peer.mjs";

const { app, record, listen } = createPeer();

const info = { name: "official-v2", version: "2.4.0" };
const text = (value) => ({ type: "text", text: value });
const confirmation = z.object({ confirm: z.boolean() });

function createServer() {
	const server = new McpServer(info, { instructions: "Add, then count.", capabilities: { tools: {} } });
	server.registerTool(
		"add",
		{
			description: "Adds.",
			inputSchema: z.object({ a: z.number(), b: z.number() }),
			outputSchema: z.object({ sum: z.number() }),
		},
		({ a, b }) => ({ content: [text(`${a + b}`)], structuredContent: { sum: a + b } }),
	);
	server.registerTool("fail", { inputSchema: z.object({}) }, () => ({
		isError: true,
		content: [text("The warehouse is closed.")],
	}));
	server.registerTool(
		"count",
		{ inputSchema: z.object({ to: z.number().int() }) },
		async ({ to }, { mcpReq }) => {
			const { progressToken } = mcpReq._meta ?? {};
			for (let progress = 1; progress <= to && progressToken !== undefined; progress += 1)
				await mcpReq.notify({
					method: "notifications/progress",
					params: { progressToken, progress, total: to, message: `number ${progress}` },
				});
			return { content: [text(`counted to ${to}`)] };
		},
	);
	server.registerTool("endless", { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
		record({ event: "started", requestId: mcpReq.id });
		await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve));
		record({ event: "cancelled", requestId: mcpReq.id });
		throw new Error("It was cancelled.");
	});
	server.registerTool("deploy", { inputSchema: z.object({ to: z.string() }) }, ({ to }, { mcpReq }) => {
		const state = mcpReq.requestState();
		const answer = acceptedContent(mcpReq.inputResponses, "sure", confirmation);
		if (answer === undefined || state !== `deploy to ${to}`)
			return inputRequired({
				inputRequests: {
					sure: inputRequired.elicit({ message: `Deploy to ${to}?`, requestedSchema: confirmation }),
				},
				requestState: `deploy to ${to}`,
			});
		return { content: [text(answer.confirm ? `deployed to ${to}` : "left as it is")] };
	});
	server.registerTool(
		"where",
		{
			inputSchema: z.object({
				region: z.string().meta({ "x-mcp-header": "Region" }),
				shelf: z.number().int().optional().meta({ "x-mcp-header": "Shelf" }),
				note: z.string().optional(),
			}),
		},
		({ region, shelf = 0 }) => ({ content: [text(`${region}/${shelf}`)] }),
	);
	return server;
}

const object = { type: "object", properties: {} };
/** By the cursor that asks for them. */
const PAGES = new Map([
	[undefined, { tools: [{ name: "first", inputSchema: object }], nextCursor: "" }],
	["", { tools: [{ name: "second", inputSchema: object, outputSchema: { type: "array" } }] }],
]);

function createPagedServer() {
	const server = new Server(info, { capabilities: { tools: {} } });
	server.setRequestHandler("tools/list", ({ params }) => PAGES.get(params?.cursor));
	server.setRequestHandler("tools/call", () => ({ content: [text("[1,2]")], structuredContent: [1, 2] }));
	return server;
}

const HANDLERS = {
	both: createMcpHandler(createServer),
	modern: createMcpHandler(createServer, { legacy: "reject" }),
	sse: createMcpHandler(createServer, { legacy: "reject", responseMode: "sse" }),
	json: createMcpHandler(createServer, { legacy: "reject", responseMode: "json" }),
	paged: createMcpHandler(createPagedServer),
};

for (const [name, handler] of Object.entries(HANDLERS)) {
	const answer = toNodeHandler(handler);
	app.all(`/${name}`, (request, response) => answer(request, response, request.body));
}
app.all("/moved", (_request, response) => response.redirect(307, "/modern"));

listen();
