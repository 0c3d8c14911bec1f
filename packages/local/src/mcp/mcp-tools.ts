import type { Fetch, Timeouts } from "@stemma/client";
import type { McpAuth, McpLock } from "@stemma/client/mcp";
import { ConfigurationError } from "@stemma/core";
import { quote } from "@stemma/core/internal";
import type { ToolPort, ToolReference } from "@stemma/engine";
import { createClientPool } from "../client-pool";
import { toDepthHeader } from "../depth-header";
import { resolveSecret, type SecretSource } from "../secrets/secret-source";
import { toServerError } from "../server-error";
import type { McpServer } from "./open-server";

/** Options of `mcpTools`, a tool port over MCP servers. */
export interface McpToolsOptions {
	/**
	 * Gives the value of a secret that a node names, for its server; it goes there as a bearer token. Asked before each
	 * call, so that a value may change. Default: none, and nodes with a secret fail.
	 */
	readonly secret?: SecretSource | undefined;
	/** OAuth for servers whose nodes name no secret: `mcpOAuth({ … })` of `@stemma/client/mcp-oauth`. Default: none. */
	readonly auth?: McpAuth | undefined;
	/** Function that sends requests. Default: the platform's `fetch`, looked up at each call. */
	readonly fetch?: Fetch | undefined;
	/** Number of services and runtimes that the run came through before this one; sent as `stemma-depth`. */
	readonly depth?: number | undefined;
	/** Timeouts of requests to servers. */
	readonly timeouts?: Partial<Timeouts> | undefined;
	/** Locks of servers, by their addresses: tools that are not as their lock has them are not offered and not called. */
	readonly pins?: Readonly<Record<string, McpLock>> | undefined;
}

/** Tools of MCP servers, as a port. Its connections are shared by all runs that use it. */
export interface McpTools extends ToolPort {
	/** Returns a port with the same connections, for runs that came through `depth` services and runtimes. */
	atDepth(depth: number): ToolPort;
	/** Ends what was kept of servers; calls that are under way go on. It may be used again. */
	close(): void;
}

/**
 * The tools of MCP servers, for `tool` nodes with a `server`: `createLocalAgent(graph, { ports: { …, tools: mcpTools() } })`.
 * `createLocalAgent` has one built in, beside tools in code; make one to share connections among agents, or to decide
 * where secrets come from.
 */
export function mcpTools(options: McpToolsOptions = {}): McpTools {
	const { secret, auth, pins, ...connection } = options;
	const pool = createClientPool<McpServer>({
		async create(url, token) {
			const { openServer } = await import("./open-server");
			return openServer({ ...connection, url, token, ...(token === undefined && { auth }) }, pins);
		},
		close: (server) => server.close(),
	});

	async function useServer<Result>(
		reference: ToolReference,
		use: (server: McpServer) => Promise<Result>,
	): Promise<Result> {
		const url = getServer(reference);
		const token = await resolveSecret(secret, reference.secret, url);
		try {
			return await pool.use(url, token, use);
		} catch (error) {
			throw toServerError(error, { url, secret: reference.secret, source: secret });
		}
	}

	function atDepth(depth: number | undefined): ToolPort {
		const headers = toDepthHeader(depth);
		return {
			describe: (reference, { signal }) =>
				useServer(reference, (server) => server.describe(reference.tool, signal)),
			call: (request, { signal, traceContext }) =>
				useServer(request, (server) =>
					server.call(request, {
						signal,
						headers: { ...headers, ...traceContext },
						meta: { ...traceContext },
					}),
				),
		};
	}

	return { ...atDepth(options.depth), atDepth, close: pool.close };
}

function getServer({ server, tool, node }: ToolReference): string {
	if (server !== undefined) return server;
	throw new ConfigurationError(`The tool ${quote(tool)} of the node ${quote(node)} has no server.`, {
		code: "tool_not_registered",
		hint: "Register it in code, with `createLocalAgent(graph, { tools })`, or give the node a `server`.",
	});
}
