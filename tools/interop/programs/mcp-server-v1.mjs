import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
	CallToolRequestSchema,
	ErrorCode,
	isInitializeRequest,
	ListToolsRequestSchema,
	McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { createPeer } from "./peer.mjs";

const { app, record, listen } = createPeer();

const EMPTY_SCHEMA = { type: "object", properties: {} };
const PAIR = {
	type: "object",
	properties: { a: { type: "number" }, b: { type: "number" } },
	required: ["a", "b"],
};
const SUM = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] };

/** By the cursor that asks for them. */
const PAGES = new Map([
	[undefined, { names: ["add", "wrong_shape", "fail", "refuse"], nextCursor: "" }],
	["", { names: ["pictures", "count", "endless"], nextCursor: "the last" }],
	["the last", { names: ["drop"] }],
]);

const text = (value) => ({ type: "text", text: value });

const TOOLS = {
	add: {
		inputSchema: PAIR,
		outputSchema: SUM,
		call: ({ a, b }) => ({ content: [text(`${a + b}`)], structuredContent: { sum: a + b } }),
	},
	wrong_shape: {
		inputSchema: EMPTY_SCHEMA,
		outputSchema: SUM,
		call: () => ({ content: [text("many")], structuredContent: { sum: "many" } }),
	},
	fail: {
		inputSchema: EMPTY_SCHEMA,
		call: () => ({ isError: true, content: [text("The warehouse is closed.")] }),
	},
	refuse: {
		inputSchema: EMPTY_SCHEMA,
		call() {
			throw new McpError(ErrorCode.InvalidParams, "Nothing is right about this.", { field: "everything" });
		},
	},
	pictures: {
		inputSchema: EMPTY_SCHEMA,
		call: () => ({
			content: [
				{ type: "image", data: "aW1hZ2U=", mimeType: "image/png" },
				{ type: "audio", data: "c291bmQ=", mimeType: "audio/wav" },
				{ type: "resource_link", uri: "file:///plan.txt", name: "plan" },
				{ type: "resource", resource: { uri: "file:///plan.txt", text: "first this, then that" } },
			],
		}),
	},
	count: {
		inputSchema: { type: "object", properties: { to: { type: "integer" } }, required: ["to"] },
		async call({ to }, { _meta, sendNotification }) {
			for (let progress = 1; progress <= to && _meta?.progressToken !== undefined; progress += 1) {
				const params = {
					progressToken: _meta.progressToken,
					progress,
					total: to,
					message: `number ${progress}`,
				};
				await sendNotification({ method: "notifications/progress", params });
			}
			return { content: [text(`counted to ${to}`)] };
		},
	},
	endless: {
		inputSchema: EMPTY_SCHEMA,
		async call(_args, { signal, requestId }) {
			record({ event: "started", requestId });
			await new Promise((resolve) => signal.addEventListener("abort", resolve));
			record({ event: "cancelled", requestId });
			throw new Error("It was cancelled.");
		},
	},
	drop: {
		inputSchema: EMPTY_SCHEMA,
		async call(_args, { closeSSEStream }) {
			closeSSEStream?.();
			await wait(100);
			return { content: [text("after all")] };
		},
	},
};

function createServer(mode) {
	const server = new Server(
		{ name: "official-v1", version: "1.32.2" },
		{ capabilities: { tools: {} }, instructions: "Add, then count." },
	);
	server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
		const page = PAGES.get(params?.cursor);
		if (page === undefined) throw new McpError(ErrorCode.InvalidParams, "There is no such cursor.");
		const tools = page.names.map((name) => {
			const { inputSchema, outputSchema } = TOOLS[name];
			return { name, description: `It is called ${name}.`, inputSchema, outputSchema };
		});
		return { tools, nextCursor: page.nextCursor };
	});
	server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
		const tool = TOOLS[params.name];
		if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`);
		mode.onCall?.(extra.sessionId);
		return await tool.call(params.arguments ?? {}, extra);
	});
	return server;
}

/** Keeps the events of streams, so that those which were cut can be taken up again. */
function createEventStore() {
	const events = [];
	const storeEvent = async (stream, message) => `${stream}/${events.push({ stream, message })}`;
	async function replayEventsAfter(last, { send }) {
		const [stream, number] = last.split("/");
		for (const [index, event] of events.entries())
			if (index >= Number(number) && event.stream === stream)
				await send(`${stream}/${index + 1}`, event.message);
		return stream;
	}
	return { storeEvent, replayEventsAfter };
}

const fail = (response, status, code, message, id = null) =>
	void response.status(status).json({ jsonrpc: "2.0", id, error: { code, message } });

/** An endpoint with sessions, at the path of its name. */
function serve(name, mode = {}) {
	const sessions = new Map();
	mode.onCall = (sessionId) => mode.forgetsAfterCall && sessions.delete(sessionId);

	async function open(request, response) {
		const transport = new StreamableHTTPServerTransport({
			sessionIdGenerator: randomUUID,
			enableJsonResponse: mode.json ?? false,
			onsessioninitialized: (id) => !mode.forgetsAtOnce && sessions.set(id, transport),
			...(mode.resumes ? { eventStore: createEventStore(), retryInterval: 20 } : {}),
		});
		await createServer(mode).connect(transport);
		await transport.handleRequest(request, response, request.body);
	}

	app.all(`/${name}`, async (request, response) => {
		const { body, headers } = request;
		const id = headers["mcp-session-id"];
		const session = sessions.get(id);
		if (session !== undefined) {
			if (request.method === "DELETE") sessions.delete(id);
			await session.handleRequest(request, response, body);
		} else if (id !== undefined) fail(response, 404, -32001, "Session not found");
		else if (isInitializeRequest(body)) {
			if (mode.refusesFirst) {
				mode.refusesFirst = false;
				fail(response, 200, -32603, "Not yet.", body.id);
			} else {
				await wait(mode.slowMs ?? 0);
				await open(request, response);
			}
		} else if (mode.answersAll) fail(response, 200, -32601, "Method not found", body?.id);
		else fail(response, 400, -32000, "Bad Request: No valid session ID provided");
	});
}

serve("sse");
serve("json", { json: true });
serve("resumes", { resumes: true });
serve("forgetful", { forgetsAfterCall: true });
serve("amnesiac", { forgetsAtOnce: true });
serve("answers-all", { answersAll: true });
serve("slow", { slowMs: 300 });
serve("refuses-first", { refusesFirst: true });

/** Without sessions, as the SDK has them: for each request a server of its own. */
app.post("/stateless", async (request, response) => {
	const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined });
	await createServer({}).connect(transport);
	await transport.handleRequest(request, response, request.body);
});
app.all("/moved", (_request, response) => response.redirect(307, "/sse"));

listen();
