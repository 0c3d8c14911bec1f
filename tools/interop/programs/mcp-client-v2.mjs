import {
	Client,
	ClientCredentialsProvider,
	StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { serveCommands } from "./commands.mjs";

let client;
const calls = new Map();

serveCommands({
	async connect({ url, token, clientCredentials, headers = {}, mode }) {
		const transport = new StreamableHTTPClientTransport(new URL(url), {
			requestInit: { headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) } },
			...(clientCredentials && { authProvider: new ClientCredentialsProvider(clientCredentials) }),
		});
		client = new Client({ name: "official-client-v2", version: "2.4.0" }, { versionNegotiation: { mode } });
		await client.connect(transport);
		return {
			server: client.getServerVersion(),
			capabilities: client.getServerCapabilities(),
			instructions: client.getInstructions(),
			protocolVersion: client.getNegotiatedProtocolVersion(),
			sessionId: transport.sessionId,
		};
	},
	listTools: () => client.listTools(),
	/** Structured content is held against the schema that was listed. */
	async callTool({ as, ...params }) {
		const progressEvents = [];
		const controller = new AbortController();
		calls.set(as, controller);
		const result = await client.callTool(params, {
			onprogress: (progress) => progressEvents.push(progress),
			signal: controller.signal,
		});
		return { ...result, progressEvents };
	},
	/** Gives up a call by the name that it was given. */
	abort: ({ as }) => calls.get(as).abort(),
});
