export type { ServerAuth, ServerConnection } from "./http/connect-server";
export { createMcpClient } from "./mcp/create-mcp-client";
export type {
	McpAuth,
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
export type { McpClientInfo, McpProtocol, McpServer } from "./mcp/protocol/era";
export {
	type Mcp,
	type McpAskRequest,
	type McpFetchResult,
	type McpListDocumentsRequest,
	type McpSearchRequest,
	type McpSearchResult,
	type McpSearchScope,
	mcp,
} from "./mcp/service-tools";
export { createMcpLock } from "./mcp/tools/create-mcp-lock";
export type { McpToolList } from "./mcp/tools/list-tools";
export type { McpLock, McpToolLock } from "./mcp/tools/tool-lock";
export type {
	McpContent,
	McpInputRequest,
	McpProgress,
	McpResource,
	McpTool,
	McpToolAnnotations,
} from "./mcp/wire";
