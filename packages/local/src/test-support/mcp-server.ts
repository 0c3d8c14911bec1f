import type { ServerResponse } from "node:http";
import type { JsonObject } from "@stemma/core";
import { type Answer, beginEvents, sendEvent, sendJson } from "./rpc-server";

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

export const text = (words: string): object => ({ content: [{ type: "text", text: words }] });

/** An MCP server of one era; calls are answered as an event stream, everything else as JSON. */
export function speakMcp({ era, tools, call = () => text("done"), ttlMs }: McpScript): Answer {
	return async ({ method, headers, rpc }, response) => {
		if (method === "DELETE") return void response.writeHead(204).end();
		if (method !== "POST") return void response.writeHead(405).end();
		const isModern = headers["mcp-method"] !== undefined;
		if (isModern !== (era === "modern")) return refuse(response, rpc.id);
		if (rpc.id === undefined) return void response.writeHead(202).end();
		const give = (result: object): void =>
			sendJson(response, { jsonrpc: "2.0", id: rpc.id, result: seal(result) });
		const seal = (result: object): object =>
			era === "modern" ? { resultType: "complete", ...result } : result;
		const listed = tools.map((tool) => ({ inputSchema: { type: "object" }, ...tool }));
		switch (rpc.method) {
			case "initialize":
				response.setHeader("mcp-session-id", "s1");
				return give({
					protocolVersion: "2025-11-25",
					capabilities: { tools: {} },
					serverInfo: { name: "scripted", version: "1" },
				});
			case "server/discover":
				return give({
					supportedVersions: ["2026-07-28"],
					capabilities: { tools: {} },
					ttlMs: 0,
					cacheScope: "private",
				});
			case "tools/list":
				return give({ tools: listed, ...(ttlMs === undefined ? {} : { ttlMs, cacheScope: "private" }) });
			case "tools/call": {
				beginEvents(response);
				const { name, arguments: args } = rpc.params as { name: string; arguments?: JsonObject };
				if (!tools.some((tool) => tool.name === name))
					sendEvent(response, {
						jsonrpc: "2.0",
						id: rpc.id,
						error: { code: -32602, message: `Unknown tool: ${name}` },
					});
				else sendEvent(response, { jsonrpc: "2.0", id: rpc.id, result: seal(await call(args ?? {}, name)) });
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

function refuse(response: ServerResponse, id: unknown): void {
	sendJson(
		response,
		{ jsonrpc: "2.0", id: id ?? null, error: { code: -32600, message: "Bad Request" } },
		400,
	);
}
