import type { StemmaClient } from "../client";
import { McpError } from "./mcp-error";
import type { RpcErrorObject } from "./wire";

/** Codes of errors: JSON-RPC 2.0, and what MCP has besides. */
const CODES: Readonly<Record<number, string>> = {
	"-32700": "parse_error",
	"-32600": "invalid_request",
	"-32601": "method_not_found",
	"-32602": "invalid_params",
	"-32002": "resource_not_found",
	"-32020": "header_mismatch",
	"-32021": "missing_capability",
	"-32022": "unsupported_version",
};

/** What is longer would fill a log. */
const MOST_DATA_CHARACTERS = 4000;

/** A JSON-RPC error as an error of ours: without secrets, and no longer than anyone reads. */
export function toMcpError(
	client: StemmaClient,
	method: string,
	said: RpcErrorObject,
	status: number,
): McpError {
	const { code, message, data } = client.redact({ ...said });
	const text = typeof message === "string" && message !== "" ? message : "no reason was given";
	const rpcCode = typeof code === "number" ? code : undefined;
	const isUnknownTool = method === "tools/call" && rpcCode === -32602 && /unknown tool|not found/i.test(text);
	return new McpError(`The MCP server answers \`${method}\` with an error: ${text}`, {
		code: isUnknownTool ? "tool_not_found" : (CODES[rpcCode ?? 0] ?? "server_error"),
		rpcCode,
		status: status < 400 ? undefined : status,
		data: (JSON.stringify(data) ?? "").length > MOST_DATA_CHARACTERS ? undefined : data,
	});
}
