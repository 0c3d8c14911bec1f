import { drainResponse } from "../../http/drain-response";
import { McpError } from "../mcp-error";
import { type McpServer, readServer } from "./era";
import { exchange, type McpEndpoint, sendMessage } from "./exchange";
import { DRAIN_TIMEOUT_MS } from "./read-response";

/** The revisions with `initialize` that are spoken, over streamable HTTP; the newest first. */
const VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** Result of `initialize`. */
export interface Session {
	readonly server: McpServer;
	/** Headers of each later request. */
	readonly headers: Readonly<Record<string, string | undefined>>;
	readonly hasId: boolean;
}

/** Fields that an error may have. */
export interface Failure {
	readonly status?: number;
	readonly rpcCode?: number;
	readonly message?: string;
}

/** Begins a session. Nobody's signal reaches this: others who wait for it may still want it. */
export async function initialize(endpoint: McpEndpoint): Promise<Session> {
	const [protocolVersion] = VERSIONS;
	const { result, openResponse } = await exchange(endpoint, {
		id: endpoint.nextId(),
		method: "initialize",
		params: { protocolVersion, capabilities: {}, clientInfo: endpoint.clientInfo },
		headers: {},
		options: {},
		onMessage: () => undefined,
	}).catch((error: Failure) => {
		throw toHandshakeError(error);
	});
	const { version } = endpoint.client.redact({ version: toText(result.protocolVersion) });
	if (!VERSIONS.includes(version)) throw createVersionError(version);
	const id = openResponse.header("mcp-session-id") || undefined;
	const headers = { "mcp-protocol-version": version, "mcp-session-id": id };
	await notify(endpoint, headers, { method: "notifications/initialized" });
	const server = readServer("legacy", version, result.serverInfo, result);
	return { server, headers, hasId: id !== undefined };
}

/** Sends what has no answer, but for its status: there is nobody to tell of it. */
export async function notify(
	endpoint: McpEndpoint,
	headers: Session["headers"],
	message: object,
): Promise<void> {
	const response = await sendMessage(endpoint, { json: { jsonrpc: "2.0", ...message }, headers });
	await drainResponse(response, DRAIN_TIMEOUT_MS);
}

/**
 * Converts a handshake error. A server that does not answer in JSON-RPC may use the transport of 2024-11-05, which is
 * not supported.
 */
function toHandshakeError(error: Failure): unknown {
	const { status = 0, rpcCode } = error;
	if (rpcCode !== undefined || ![400, 404, 405].includes(status)) return error;
	return new McpError(
		`There is no MCP server with streamable HTTP at this address: it answers HTTP ${status} to \`initialize\`.`,
		{
			code: "unsupported_transport",
			status,
			hint: "Check the address: it often ends in /mcp. Servers that support only the older HTTP+SSE transport are not supported.",
			cause: error,
		},
	);
}

/** Converts a value to text, as JSON unless it is a string: not every object converts to a string. */
const toText = (value: unknown): string =>
	typeof value === "string" ? value : (JSON.stringify(value) ?? "");

const createVersionError = (version: string) =>
	new McpError(
		`The MCP server uses version ${JSON.stringify(version.slice(0, 40))} of the protocol, which this client does not support.`,
		{ code: "unsupported_version", hint: "Update this package, or the server." },
	);
