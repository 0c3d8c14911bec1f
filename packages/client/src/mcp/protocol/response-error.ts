import type { OpenResponse, StemmaClient } from "../../client";
import { parseJson } from "../../errors/read-api-error";
import { safeStringify } from "../../errors/safe-stringify";
import { toApiError } from "../../errors/to-api-error";
import { McpError } from "../mcp-error";
import type { RpcErrorObject } from "../wire";
import { toAuthError } from "./auth-error";
import type { McpFailure } from "./exchange";

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

/** A failure as an ApiError where HTTP says it or something before the server does, else as an McpError. */
export function toResponseError(
	client: StemmaClient,
	method: string,
	response: OpenResponse,
	{ text, error }: McpFailure,
): Error {
	const { status } = response;
	const isAuthError = status === 401 || status === 403;
	if (error && !isAuthError) return toMcpError(client, method, error, status);
	const apiError = toApiError(client, response, text);
	return isAuthError ? toAuthError(apiError, response, client.redact) : apiError;
}

/** A JSON-RPC error as an error of ours: without secrets, and no longer than anyone reads. */
function toMcpError(
	client: StemmaClient,
	method: string,
	rpcError: RpcErrorObject,
	status: number,
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
