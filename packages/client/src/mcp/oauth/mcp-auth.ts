import type { ServerAuth } from "../../http/connect-server";

/**
 * Authorization for MCP servers, of any number: what `mcpOAuth` and `mcpClientCredentials` give, and the option `auth` of
 * `createMcpClient` takes. Clients of the same server share its tokens.
 */
export interface McpAuth extends ServerAuth {}
