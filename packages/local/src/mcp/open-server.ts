import { createMcpClient, type McpClientOptions } from "@stemma/client/mcp";
import { isStemmaError, type Json, type JsonObject } from "@stemma/core";
import type { ToolDescription, ToolRequest } from "@stemma/engine";
import { createSecretRedactor, type RedactText } from "../secrets/secret-redactor";
import { describeTool } from "./describe-tool";
import { findPin, type McpPins } from "./find-pin";
import { createToolList } from "./tool-list";
import { readToolResult } from "./tool-result";

/** One MCP server, as one secret sees it. */
export interface McpServer {
	describe(tool: string, signal: AbortSignal): Promise<ToolDescription>;
	call(request: ToolRequest, options: ServerCallOptions): Promise<Json>;
	close(): void;
}

export interface ServerCallOptions {
	readonly signal: AbortSignal;
	readonly headers: Readonly<Record<string, string>>;
	/** Goes into the `_meta` of the call. */
	readonly meta: JsonObject;
}

/** Error codes of a server whose tools may have changed since they were listed. */
const STALE_LIST_CODES: ReadonlySet<string> = new Set(["tool_not_found", "tool_changed", "invalid_params"]);

/** Sends nothing yet. This file and what it imports are loaded with the first call of a server. */
export function openServer(options: McpClientOptions, pins: McpPins | undefined): McpServer {
	const { url, token } = options;
	const { auth, redactTokens } = withTokenRedaction(options.auth);
	const redactToken = createSecretRedactor(token);
	const pin = findPin(pins, url);
	const client = createMcpClient({ ...options, auth, pin });
	const redactText: RedactText = (text) => redactTokens(redactToken(text));
	const tools = createToolList((signal) => client.listTools({ signal }));

	return {
		describe: async (tool, signal) =>
			describeTool(await tools.read(signal), tool, url, { lock: pin, redactText }),
		async call({ tool, arguments: args }, callOptions) {
			try {
				return readToolResult(await client.callTool(tool, args, callOptions), tool, url, redactText);
			} catch (error) {
				if (isStemmaError(error) && STALE_LIST_CODES.has(error.code)) tools.invalidate();
				throw error;
			}
		},
		close: () => void client.close(),
	};
}

/** Tokens that `auth` gets change over time: only its own credential knows them. */
function withTokenRedaction(
	auth: McpClientOptions["auth"],
): Pick<McpClientOptions, "auth"> & { redactTokens: RedactText } {
	if (auth === undefined) return { auth, redactTokens: (text) => text };
	let redactTokens: RedactText = (text) => text;
	return {
		auth: {
			forServer(connection) {
				const credential = auth.forServer(connection);
				redactTokens = credential.redact;
				return credential;
			},
		},
		redactTokens: (text) => redactTokens(text),
	};
}
