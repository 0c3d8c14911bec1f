import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { createMcpClient, type McpClient, type McpClientOptions } from "../../mcp";

/** A JSON-RPC message as the server got it. */
export interface SentMessage {
	readonly id?: number;
	readonly method?: string;
	readonly params?: Readonly<Record<string, unknown>>;
	readonly result?: unknown;
	readonly error?: { readonly code: number };
}

/** One HTTP request that came. */
export interface ReceivedMessage extends SentMessage {
	readonly http: string;
	readonly headers: IncomingHttpHeaders;
}

/** Gives the result of a request; or answers by itself, and gives nothing. */
export type MethodHandler = (received: ReceivedMessage, response: ServerResponse) => unknown;

export interface Script {
	/** `none`: there is no protocol but what `handlers` have. */
	readonly era: "legacy" | "modern" | "none";
	/** By the method of JSON-RPC; `GET` for the requests of that name, `*` for all else. */
	readonly handlers?: Readonly<Record<string, MethodHandler>>;
	/** Of a legacy server. Default 2025-11-25. */
	readonly version?: string;
	/** Of a legacy server. Default true. */
	readonly hasSessions?: boolean;
}

export interface McpTestServer {
	readonly url: string;
	readonly received: readonly ReceivedMessage[];
	/** How often a method of JSON-RPC came. */
	count(method: string): number;
	find(method: string): ReceivedMessage;
	/** A legacy server knows none of them any more. */
	forgetSessions(): void;
}

export const TOOL = {
	name: "add",
	description: "Adds numbers.",
	inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } },
	outputSchema: { type: "object", properties: { sum: { type: "number" } } },
};

const COMPLETE = { resultType: "complete" };
const ANSWERS: Readonly<Record<string, MethodHandler>> = {
	"tools/list": () => ({ tools: [TOOL], ttlMs: 0 }),
	"tools/call": ({ params }) => ({ content: [{ type: "text", text: JSON.stringify(params?.arguments) }] }),
	"server/discover": () => ({
		supportedVersions: ["2026-07-28"],
		capabilities: { tools: {} },
		instructions: "Add.",
		_meta: { "io.modelcontextprotocol/serverInfo": { name: "modern", version: "2" } },
	}),
};

const servers = new Set<Server>();
afterEach(() => {
	for (const server of servers) {
		server.closeAllConnections();
		server.close();
	}
	servers.clear();
});

/** Starts an MCP server on a port of its own; it stops at the end of the test. */
export async function serveMcp(script: Script): Promise<McpTestServer> {
	const received: ReceivedMessage[] = [];
	const sessions = new Set<string>();
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		const http = request.method ?? "";
		const message = body === "" ? {} : (JSON.parse(body) as SentMessage);
		const entry = { ...message, http, headers: request.headers };
		received.push(entry);
		await respond(script, sessions, entry, response);
	});
	servers.add(server);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/mcp`,
		received,
		count: (method) => received.filter((entry) => entry.method === method || entry.http === method).length,
		find(method) {
			const found = received.findLast((entry) => entry.method === method || entry.http === method);
			if (found === undefined) throw new Error(`${method} did not come`);
			return found;
		},
		forgetSessions: () => sessions.clear(),
	};
}

export const connect = (
	{ url }: Pick<McpTestServer, "url">,
	options: Omit<McpClientOptions, "url"> = {},
): McpClient => createMcpClient({ url, retryDelayMs: 1, ...options });

async function respond(
	{ era, handlers = {}, version = "2025-11-25", hasSessions = true }: Script,
	sessions: Set<string>,
	received: ReceivedMessage,
	response: ServerResponse,
): Promise<void> {
	const { http, headers, id = null, method = "" } = received;
	const customHandler = handlers[http === "POST" ? method : http] ?? handlers["*"];
	if (era === "legacy" && customHandler === undefined) {
		if (method === "initialize") {
			const session = `session-${sessions.size + 1}-${Math.random()}`;
			sessions.add(session);
			if (hasSessions) response.setHeader("mcp-session-id", session);
			const serverInfo = { name: "legacy", version: "1" };
			return sendResult(response, id, { protocolVersion: version, serverInfo, capabilities: { tools: {} } });
		}
	}
	if (era === "legacy" && method !== "initialize") {
		const given = String(headers["mcp-session-id"] ?? "");
		if (hasSessions && given === "") return sendError(response, 400, id, -32000, "Bad Request: no session");
		if (hasSessions && !sessions.has(given)) return sendError(response, 404, id, -32001, "Session not found");
		if (headers["mcp-protocol-version"] !== version)
			return sendError(response, 400, id, -32000, "Bad version");
		if (http === "DELETE") sessions.delete(given);
	}
	if (http !== "POST" && customHandler === undefined)
		return void response.writeHead(http === "DELETE" ? 200 : 405).end();
	if (id === null && customHandler === undefined) return void response.writeHead(202).end();
	if (era === "modern" && headers["mcp-protocol-version"] !== "2026-07-28")
		return sendError(response, 400, id, -32022, "Unsupported version", { supported: ["2026-07-28"] });
	if (era === "modern" && headers["mcp-method"] !== method)
		return sendError(response, 400, id, -32020, "The header Mcp-Method is another");
	const handler = customHandler ?? (era === "none" ? undefined : ANSWERS[method]);
	if (handler === undefined || (era === "legacy" && method === "server/discover"))
		return sendError(response, era === "modern" ? 404 : 200, id, -32601, "Method not found");
	const result = await handler(received, response);
	if (result !== undefined) sendResult(response, id, era === "modern" ? { ...COMPLETE, ...result } : result);
}

export const send = (response: ServerResponse, body: unknown, status = 200): void =>
	void response
		.writeHead(status, { "content-type": "application/json" })
		.end(typeof body === "string" ? body : JSON.stringify(body));

export const sendResult = (response: ServerResponse, id: unknown, result: unknown): void =>
	send(response, { jsonrpc: "2.0", id, result });

export const sendError = (
	response: ServerResponse,
	status: number,
	id: unknown,
	code: number,
	message: string,
	data?: unknown,
): void => send(response, { jsonrpc: "2.0", id, error: { code, message, data } }, status);

/** Begins an event stream with these messages; `end` it, or leave it open. */
export function stream(response: ServerResponse, ...messages: readonly object[]): void {
	if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
	response.write(`: hello\n\n${messages.map((entry) => `data: ${JSON.stringify(entry)}\n\n`).join("")}`);
}

/** A message of JSON-RPC. */
export const rpc = (message: object): object => ({ jsonrpc: "2.0", ...message });

/** What a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<Record<string, unknown> & Error> {
	try {
		await promise;
	} catch (error) {
		return error as Record<string, unknown> & Error;
	}
	throw new Error("It did not fail.");
}

/** By what a request wants to be told of its progress. */
export const toProgressToken = (params: SentMessage["params"]): unknown =>
	(params?._meta as { readonly progressToken?: unknown } | undefined)?.progressToken;
