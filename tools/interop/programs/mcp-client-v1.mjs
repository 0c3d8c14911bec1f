import { ClientCredentialsProvider } from "@modelcontextprotocol/sdk/client/auth-extensions.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { serveCommands } from "./commands.mjs";

let client;
const calls = new Map();

serveCommands({
	async connect({ url, token, clientCredentials, headers = {} }) {
		const transport = new StreamableHTTPClientTransport(new URL(url), {
			requestInit: { headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) } },
			...(clientCredentials && { authProvider: new ClientCredentialsProvider(clientCredentials) }),
		});
		client = new Client({ name: "official-client-v1", version: "1.32.2" });
		await client.connect(transport);
		return {
			server: client.getServerVersion(),
			capabilities: client.getServerCapabilities(),
			instructions: client.getInstructions(),
			protocolVersion: transport.protocolVersion,
			sessionId: transport.sessionId,
		};
	},
	listTools: () => client.listTools(),
	/** Structured content is held against the schema that was listed. */
	async callTool({ as, ...params }) {
		const progressEvents = [];
		const controller = new AbortController();
		calls.set(as, controller);
		const result = await client.callTool(params, undefined, {
			onprogress: (progress) => progressEvents.push(progress),
			signal: controller.signal,
		});
		return { ...result, progressEvents };
	},
	/** Gives up a call by the name that it was given. */
	abort: ({ as }) => calls.get(as).abort(),
});
