import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Fields } from "./hostile.ts";

/** Kinds of hostile MCP servers: how each answers `tools/list` and `tools/call`. */
export type McpScript = "plain" | "hang" | "many-tools" | "bomb-schema" | "huge-result" | "endless" | "deep";

const PLAIN_TOOL = { name: "look", description: "Looks.", inputSchema: { type: "object" } };

const TOOLS: Partial<Record<McpScript, () => readonly object[]>> = {
	"many-tools": () => Array.from({ length: 50_000 }, (_, index) => ({ ...PLAIN_TOOL, name: `tool${index}` })),
	"bomb-schema": () => [
		{
			...PLAIN_TOOL,
			inputSchema: {
				type: "object",
				properties: { input: { pattern: "^(a+)+$" } },
				patternProperties: { "^(a+)+$": true },
			},
			outputSchema: { type: "object", properties: { text: { pattern: "^(a+)+$" } } },
		},
	],
};

/** Serves `POST /mcp/<script>`: JSON-RPC of the revision 2026-07-28. */
export async function serveMcp(script: McpScript, body: Fields, response: ServerResponse): Promise<void> {
	const { id, method } = body;
	const reply = (result: object): void => {
		response.writeHead(200, { "content-type": "application/json" });
		response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { ...result, resultType: "complete" } }));
	};
	if (method === "server/discover") return reply({ supportedVersions: ["2026-07-28"], capabilities: {} });
	if (method === "tools/list") return reply({ tools: TOOLS[script]?.() ?? [PLAIN_TOOL] });
	if (method !== "tools/call") return void response.writeHead(202).end();
	if (script === "hang") return;
	if (script === "endless") return pourEvents(response);
	const text = script === "huge-result" ? "x".repeat(32 * 2 ** 20) : `${"a".repeat(34)}!`;
	if (script === "deep") {
		response.writeHead(200, { "content-type": "application/json" });
		return void response.end(
			`{"jsonrpc":"2.0","id":1,"result":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
		);
	}
	reply({ content: [{ type: "text", text }], structuredContent: { text } });
}

/** Kinds of hostile A2A agents. */
export type A2aScript = "hang" | "endless" | "huge-card" | "garbage";

/** Serves `/a2a/<script>` and its card. */
export async function serveA2a(
	script: A2aScript,
	isCard: boolean,
	url: string,
	response: ServerResponse,
): Promise<void> {
	if (isCard) {
		response.writeHead(200, { "content-type": "application/json" });
		return void response.end(JSON.stringify(toCard(script, url)));
	}
	if (script === "hang") return;
	if (script === "endless") return pourEvents(response);
	response.writeHead(200, { "content-type": "application/json" }).end('{"jsonrpc":"2.0","id":1,"result":7}');
}

function toCard(script: A2aScript, url: string): object {
	const skill = { id: "s", name: "s", description: "d", tags: [] };
	return {
		name: script,
		description: script,
		version: "1",
		supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
		capabilities: { streaming: true },
		defaultInputModes: ["text/plain"],
		defaultOutputModes: ["text/plain"],
		skills: Array.from({ length: script === "huge-card" ? 200_000 : 1 }, () => skill),
	};
}

/** Events of a protocol without an end. */
async function pourEvents(response: ServerResponse): Promise<void> {
	response.writeHead(200, { "content-type": "text/event-stream" });
	const params = { progressToken: "p", progress: 1 };
	const event = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params })}\n\n`;
	while (!response.destroyed) {
		response.write(event.repeat(20));
		await wait(20);
	}
}
