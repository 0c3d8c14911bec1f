export type { McpAuth } from "./mcp/mcp-client";
export type { McpAuthorizationRequest, McpAuthorize } from "./mcp/oauth/authorization-code";
export type { McpAuthorizationResponse } from "./mcp/oauth/authorization-response";
export {
	type McpClientCredentialsOptions,
	type McpOAuthOptions,
	mcpClientCredentials,
	mcpOAuth,
} from "./mcp/oauth/mcp-oauth";
export type {
	McpClientAssertion,
	McpClientAuthMethod,
	McpOAuthClient,
	McpServiceClient,
} from "./mcp/oauth/oauth-client";
export { McpOAuthError, type McpOAuthErrorOptions } from "./mcp/oauth/oauth-error";
export type {
	McpAuthorization,
	McpPendingAuthorization,
	McpRegisteredClient,
	McpTokenStore,
} from "./mcp/oauth/token-store";
