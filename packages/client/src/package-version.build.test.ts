import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import type * as Mcp from "./mcp";

/** The sources, built when the package has this version. */
async function buildAs(version: string): Promise<typeof Mcp> {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL("mcp.ts", import.meta.url))],
		bundle: true,
		format: "esm",
		platform: "neutral",
		write: false,
		plugins: [
			{
				name: "version",
				setup: ({ onLoad }) =>
					onLoad({ filter: /packages\/client\/package\.json$/ }, () => ({
						contents: JSON.stringify({ version }),
						loader: "json",
					})),
			},
		],
	});
	const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
	return (await import(`data:text/javascript;base64,${code}`)) as typeof Mcp;
}

test("servers are told the version that the package was built with", async () => {
	const { createMcpClient } = await buildAs("4.5.6");
	let sent = "";
	const client = createMcpClient({
		url: "https://mcp.example/mcp",
		maxRetries: 0,
		fetch: async (_, { body }) => {
			sent = String(body);
			return Response.json({ jsonrpc: "2.0", id: 1, result: { tools: [], resultType: "complete" } });
		},
	});
	await client.listTools();
	expect(JSON.parse(sent).params._meta["io.modelcontextprotocol/clientInfo"]).toEqual({
		name: "stemma",
		version: "4.5.6",
	});
});
