import { type HostileRpcServer, type RpcHandler, startRpcServer } from "./rpc-server.ts";

/** Protocol era that a hostile MCP server speaks. */
export type McpEra = "legacy" | "modern";

/** A tool with nothing wrong. */
export const NORMAL_TOOL = {
	name: "add",
	description: "Adds numbers.",
	inputSchema: { type: "object", properties: { a: { type: "number" } } },
	outputSchema: { type: "object" },
};

export const DONE = { content: [{ type: "text", text: "done" }], resultType: "complete" };
const SUPPORTED = ["2026-07-28"];

const LEGACY: Readonly<Record<string, RpcHandler>> = {
	initialize: (_, response) => {
		response.setHeader("mcp-session-id", "session-1");
		return {
			protocolVersion: "2025-11-25",
			serverInfo: { name: "legacy", version: "1" },
			capabilities: {},
		};
	},
	"notifications/initialized": (_, response) => void response.writeHead(202).end(),
	DELETE: (_, response) => void response.writeHead(200).end(),
	GET: (_, response) => void response.writeHead(405).end(),
	"tools/list": ({ headers }, response) =>
		"mcp-method" in headers ? void response.writeHead(400).end() : { tools: [NORMAL_TOOL] },
	"tools/call": () => DONE,
	"*": (_, response) => void response.writeHead(202).end(),
};

const MODERN: Readonly<Record<string, RpcHandler>> = {
	"server/discover": () => ({ supportedVersions: SUPPORTED, capabilities: {}, resultType: "complete" }),
	"tools/list": () => ({ tools: [NORMAL_TOOL], ttlMs: 60_000, resultType: "complete" }),
	"tools/call": () => DONE,
};

/** An MCP server of one era that does wrong whatever it is told to, and all else right. */
export const startHostileMcp = (era: McpEra): Promise<HostileRpcServer> =>
	startRpcServer(era === "legacy" ? LEGACY : MODERN);
