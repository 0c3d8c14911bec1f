import { createMcpClient, type McpClientOptions } from "@stemma/client/mcp";
import { isStemmaError, type Json, type JsonObject } from "@stemma/core";
import type { ToolDescription, ToolRequest } from "@stemma/engine";
import { createHideSecret, type HideSecret } from "../hide-secret";
import { findPin, type McpPins } from "./find-pin";
import { offerTool } from "./offer-tool";
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

/** What a server says that has other tools by now. */
const CHANGED: ReadonlySet<string> = new Set(["tool_not_found", "tool_changed", "invalid_params"]);

/** Sends nothing yet. This file and what it imports are loaded with the first call of a server. */
export function openServer(options: McpClientOptions, pins: McpPins | undefined): McpServer {
	const { url, token } = options;
	const { auth, hideTokens } = watchAuth(options.auth);
	const hideToken = createHideSecret(token);
	const pin = findPin(pins, url);
	const client = createMcpClient({ ...options, auth, pin });
	const hide: HideSecret = (text) => hideTokens(hideToken(text));
	const tools = createToolList((signal) => client.listTools({ signal }));

	return {
		describe: async (tool, signal) => offerTool(await tools.read(signal), tool, url, { lock: pin, hide }),
		async call({ tool, arguments: given }, callOptions) {
			try {
				return readToolResult(await client.callTool(tool, given, callOptions), tool, url, hide);
			} catch (error) {
				if (isStemmaError(error) && CHANGED.has(error.code)) tools.forget();
				throw error;
			}
		},
		close: () => void client.close(),
	};
}

/** Tokens that `auth` gets change over time: only its own credential knows them. */
function watchAuth(
	auth: McpClientOptions["auth"],
): Pick<McpClientOptions, "auth"> & { hideTokens: HideSecret } {
	if (auth === undefined) return { auth, hideTokens: (text) => text };
	let hideTokens: HideSecret = (text) => text;
	return {
		auth: {
			forServer(connection) {
				const credential = auth.forServer(connection);
				hideTokens = credential.redact;
				return credential;
			},
		},
		hideTokens: (text) => hideTokens(text),
	};
}
