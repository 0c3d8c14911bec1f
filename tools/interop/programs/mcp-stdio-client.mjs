import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as TransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { serveCommands } from "./commands.mjs";

const info = { name: "desktop-assistant", version: "1.0.0" };
let client;

serveCommands({
	/** As an assistant starts a server of its settings: `{command, args, env}`. */
	async connect({ entry, sdk, mode }) {
		client = sdk === 1 ? new ClientV1(info) : new ClientV2(info, { versionNegotiation: { mode } });
		await client.connect(new (sdk === 1 ? TransportV1 : TransportV2)(entry));
		return { server: client.getServerVersion() };
	},
	listTools: () => client.listTools(),
	callTool: (params) => client.callTool(params),
	close: () => client.close(),
});
