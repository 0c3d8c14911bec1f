export type { ServerAuth, ServerConnection } from "./connect-server";
export { createMcpClient } from "./mcp/create-mcp-client";
export { createMcpLock } from "./mcp/create-mcp-lock";
export type { McpClientInfo, McpProtocol, McpServer } from "./mcp/era";
export type { McpToolList } from "./mcp/list-tools";
export type {
	McpCallOptions,
	McpClient,
	McpClientOptions,
	McpInputRequired,
	McpOptions,
	McpOutcome,
	McpResult,
	McpToolTypes,
	McpValidate,
} from "./mcp/mcp-client";
export { McpError, type McpErrorOptions } from "./mcp/mcp-error";
export type { McpAuth } from "./mcp/oauth/mcp-auth";
export {
	type Mcp,
	type McpAsk,
	type McpDocuments,
	type McpFetched,
	type McpFound,
	type McpSearch,
	type McpSearched,
	mcp,
} from "./mcp/service-tools";
export type { McpLock, McpToolLock } from "./mcp/tool-lock";
export type {
	McpContent,
	McpInputRequest,
	McpProgress,
	McpResource,
	McpTool,
	McpToolAnnotations,
} from "./mcp/wire";
