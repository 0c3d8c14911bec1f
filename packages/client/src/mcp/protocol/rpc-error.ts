import type { StemmaClient } from "../../client";
import type { parseJson } from "../../errors/read-api-error";
import type { McpError } from "../mcp-error";
import type { safeStringify } from "../safe-stringify";
import type { RpcErrorObject } from "../wire";

/**
 * Dependencies that the caller passes in. This module imports none of them itself, because a bundler would split them
 * off from what every page loads.
 */
export interface RpcErrorDependencies {
	readonly McpError: typeof McpError;
	readonly parseJson: typeof parseJson;
	readonly safeStringify: typeof safeStringify;
}

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

/** Maximum length of error data, in characters. Longer data would fill a log. */
const MAX_DATA_CHARACTERS = 4000;

/** A JSON-RPC error as an error of ours: without secrets, and no longer than anyone reads. */
export function toMcpError(
	client: StemmaClient,
	method: string,
	rpcError: RpcErrorObject,
	status: number,
	{ McpError, parseJson, safeStringify }: RpcErrorDependencies,
): McpError {
	const { code, message, data } = rpcError;
	const dataText = safeStringify(data) ?? "";
	// Once more as text: names of fields are texts, too.
	const { text, json } = client.redact({
		text: (typeof message === "string" && message) || "no reason was given",
		json: dataText.length > MAX_DATA_CHARACTERS ? "" : dataText,
	});
	const rpcCode = typeof code === "number" ? code : undefined;
	const isUnknownTool = method === "tools/call" && rpcCode === -32602 && /unknown tool|not found/i.test(text);
	return new McpError(`The MCP server answers \`${method}\` with an error: ${text}`, {
		code: isUnknownTool ? "tool_not_found" : (CODES[rpcCode ?? 0] ?? "server_error"),
		rpcCode,
		status: status < 400 ? undefined : status,
		data: client.redact({ data: parseJson(json) }).data,
	});
}
