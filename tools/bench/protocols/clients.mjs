import { SendMessageRequest } from "@a2a-js/sdk";
import { ClientFactory, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import {
	Client as ClientV2,
	StreamableHTTPClientTransport as TransportV2,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createA2aClient } from "../../../packages/client/dist/a2a.js";
import { createMcpClient } from "../../../packages/client/dist/mcp.js";

const info = { name: "bench", version: "1.0.0" };

/** @returns by client a function that connects to a server; it gives one that adds two numbers there, and one that ends. */
export const MCP_CLIENTS = {
	Stemma: async (url) => {
		const client = createMcpClient({ url });
		return {
			add: async (a, b) => (await client.callTool("add", { a, b })).structuredContent.sum,
			end: () => client.close(),
		};
	},
	"Stemma, legacy": async (url) => {
		const client = createMcpClient({ url, protocol: "legacy" });
		return {
			add: async (a, b) => (await client.callTool("add", { a, b })).structuredContent.sum,
			end: () => client.close(),
		};
	},
	"official, v2": (url) =>
		connect(new ClientV2(info, { versionNegotiation: { mode: "auto" } }), new TransportV2(new URL(url))),
	"official, v1": (url) => connect(new ClientV1(info), new TransportV1(new URL(url))),
};

async function connect(client, transport) {
	await client.connect(transport);
	return {
		add: async (a, b) => (await client.callTool({ name: "add", arguments: { a, b } })).structuredContent.sum,
		end: () => client.close(),
	};
}

/** @returns by client a function that connects to an agent; it gives one that has it count, and tells the pieces that came. */
export const A2A_CLIENTS = {
	Stemma: async (url) => {
		const client = createA2aClient({ url });
		return async (to) => {
			let pieces = 0;
			for await (const event of client.stream(`${to}`)) if ("artifactUpdate" in event) pieces += 1;
			return pieces;
		};
	},
	"official, v1": async (url) => {
		const client = await new ClientFactory({ transports: [new JsonRpcTransportFactory()] }).createFromUrl(
			url,
		);
		return async (to) => {
			const request = SendMessageRequest.fromJSON({
				message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: `${to}` }] },
			});
			let pieces = 0;
			for await (const { payload } of client.sendMessageStream(request))
				if (payload?.$case === "artifactUpdate") pieces += 1;
			return pieces;
		};
	},
};
