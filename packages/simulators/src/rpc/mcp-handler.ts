import type { ServerResponse } from "node:http";
import type { JsonObject } from "@stemma/core";
import { beginEvents, type RequestHandler, sendEvent, sendJson } from "./use-rpc-server.ts";

/** A tool of a scripted server: what it lists, and what it gives. */
export interface ScriptedTool {
	readonly name: string;
	readonly description?: string;
	readonly inputSchema?: unknown;
	readonly annotations?: object;
	readonly [field: string]: unknown;
}

export type Call = (args: JsonObject, name: string) => object | Promise<object>;

export interface McpScript {
	readonly era: "legacy" | "modern";
	readonly tools: readonly ScriptedTool[];
	readonly call?: Call;
	/** Of the list; modern servers tell it. */
	readonly ttlMs?: number;
}

export const text = (content: string): object => ({ content: [{ type: "text", text: content }] });

/** An MCP server of one era; calls are answered as an event stream, everything else as JSON. */
export function createMcpHandler({
	era,
	tools,
	call = () => text("done"),
	ttlMs,
}: McpScript): RequestHandler {
	return async ({ method, headers, rpc }, response) => {
		if (method === "DELETE") return void response.writeHead(204).end();
		if (method !== "POST") return void response.writeHead(405).end();
		const isModern = headers["mcp-method"] !== undefined;
		if (isModern !== (era === "modern")) return sendBadRequest(response, rpc.id);
		if (rpc.id === undefined) return void response.writeHead(202).end();
		const respond = (result: object): void =>
			sendJson(response, { jsonrpc: "2.0", id: rpc.id, result: withResultType(result) });
		const withResultType = (result: object): object =>
			era === "modern" ? { resultType: "complete", ...result } : result;
		const listed = tools.map((tool) => ({ inputSchema: { type: "object" }, ...tool }));
		switch (rpc.method) {
			case "initialize":
				response.setHeader("mcp-session-id", "s1");
				return respond({
					protocolVersion: "2025-11-25",
					capabilities: { tools: {} },
					serverInfo: { name: "scripted", version: "1" },
				});
			case "server/discover":
				return respond({
					supportedVersions: ["2026-07-28"],
					capabilities: { tools: {} },
					ttlMs: 0,
					cacheScope: "private",
				});
			case "tools/list":
				return respond({ tools: listed, ...(ttlMs === undefined ? {} : { ttlMs, cacheScope: "private" }) });
			case "tools/call": {
				beginEvents(response);
				const { name, arguments: args } = rpc.params as { name: string; arguments?: JsonObject };
				if (!tools.some((tool) => tool.name === name))
					sendEvent(response, {
						jsonrpc: "2.0",
						id: rpc.id,
						error: { code: -32602, message: `Unknown tool: ${name}` },
					});
				else
					sendEvent(response, {
						jsonrpc: "2.0",
						id: rpc.id,
						result: withResultType(await call(args ?? {}, name)),
					});
				return void response.end();
			}
			default:
				return sendJson(
					response,
					{ jsonrpc: "2.0", id: rpc.id, error: { code: -32601, message: "Method not found" } },
					era === "modern" ? 404 : 200,
				);
		}
	};
}

function sendBadRequest(response: ServerResponse, id: unknown): void {
	sendJson(
		response,
		{ jsonrpc: "2.0", id: id ?? null, error: { code: -32600, message: "Bad Request" } },
		400,
	);
}
