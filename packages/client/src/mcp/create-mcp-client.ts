import { connectServer } from "../http/connect-server";
import { rejectOption } from "../options/client-options";
import { callTool, runWithin } from "./call-tool";
import { ConnectedServer } from "./connected-server";
import type { McpClient, McpClientOptions, McpOptions, McpToolTypes } from "./mcp-client";
import type { McpEndpoint } from "./protocol/exchange";

/**
 * A client for the MCP server at an address, of whichever revision it speaks. Constructing it sends nothing.
 *
 * @throws ConfigurationError for options that cannot be.
 */
export function createMcpClient<Tools extends McpToolTypes = McpToolTypes>(
	options: McpClientOptions,
): McpClient<Tools> {
	const { auth, token } = options;
	if (auth && token !== undefined) rejectOption("token", "and `auth` were both given", "Pass one of them.");
	// What is known of the tools is for the types of calls alone.
	return createMcpClientOver(connectServer(options, auth), "", options) as McpClient as McpClient<Tools>;
}

/** Creates an MCP client over an existing transport. */
export function createMcpClientOver(
	client: McpEndpoint["client"],
	path: string,
	options: McpOptions,
): McpClient {
	const server = new ConnectedServer(client, path, options);
	return {
		get protocol() {
			return server.connection.protocol;
		},
		server: (options = {}) => runWithin(server, options, (inner) => server.describe(inner)),
		listTools: (options = {}) => runWithin(server, options, (inner) => server.listTools(inner)),
		callTool: (name, args = {}, options = {}) => callTool(server, { name, args }, options),
		close: () => server.connection.close(),
	};
}
