import { measureGzip } from "../client/sizes.mjs";

const client = "../../packages/client/dist";
const RUNS = `import { agents, createClient } from "${client}/index.js"; keep(agents(createClient({ clientKey: "" })));`;

/** What a page imports to speak a protocol, ours first. */
const BUNDLES = [
	{
		task: "MCP",
		programs: {
			Stemma: `import { createMcpClient } from "${client}/mcp.js"; keep(createMcpClient);`,
			"official, v2": `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
				keep(Client, StreamableHTTPClientTransport);`,
			"official, v1": `import { Client } from "@modelcontextprotocol/sdk/client/index.js";
				import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
				keep(Client, StreamableHTTPClientTransport);`,
		},
	},
	{
		task: "A2A",
		programs: {
			Stemma: `import { createA2aClient } from "${client}/a2a.js"; keep(createA2aClient);`,
			"official, v1": `import { ClientFactory, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
				keep(ClientFactory, JsonRpcTransportFactory);`,
		},
	},
];

/** @returns a row for each protocol and client; `more` is what ours takes besides a client with runs and streams. */
export async function measureProtocolSizes() {
	const rows = [];
	const runs = await measureGzip(RUNS);
	for (const { task, programs } of BUNDLES) {
		const stemma = await measureGzip(programs.Stemma);
		const more = (await measureGzip(`${programs.Stemma} ${RUNS}`)) - runs;
		for (const [name, program] of Object.entries(programs))
			rows.push({ task, client: name, bytes: await measureGzip(program), stemma, more });
	}
	return rows;
}
