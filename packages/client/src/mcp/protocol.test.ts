import { describe, expect, it } from "vitest";
import { createClient } from "../create-client";
import { mcp } from "../mcp";
import { CLIENT_KEY } from "../test-support/test-client";
import { connect, failure, sendError, serveMcp } from "./test-support/mcp-server";

const MODERN = { revision: "2026-07-28", era: "modern" };
const LEGACY = { revision: "2025-11-25", era: "legacy" };

describe("the protocol of a client", () => {
	it.each([
		["modern", {}, MODERN],
		["legacy", {}, LEGACY],
		["legacy", { version: "2025-03-26" }, { revision: "2025-03-26", era: "legacy" }],
	] as const)("is what was negotiated with a %s server %j", async (era, more, expected) => {
		const client = connect(await serveMcp({ era, ...more }));
		expect(client.protocol).toBeUndefined();
		await client.callTool("add");
		expect(client.protocol).toEqual(expected);
		await client.close();
		expect(client.protocol).toEqual(expected);
	});

	it("is known from the start where the option says modern", async () => {
		expect(connect(await serveMcp({ era: "modern" }), { protocol: "modern" }).protocol).toEqual(MODERN);
	});

	it("is unknown until the handshake that the option legacy asks for", async () => {
		const client = connect(await serveMcp({ era: "legacy" }), { protocol: "legacy" });
		expect(client.protocol).toBeUndefined();
		await client.listTools();
		expect(client.protocol).toEqual(LEGACY);
	});

	it("stays unknown after a handshake that failed", async () => {
		const server = await serveMcp({
			era: "none",
			handlers: { "*": ({ id }, response) => sendError(response, 400, id, -32600, "No") },
		});
		const client = connect(server);
		await failure(client.listTools());
		expect(client.protocol).toBeUndefined();
	});

	it("is the newest after a session was opened again", async () => {
		const versions = ["2025-11-25", "2025-06-18"];
		const server = await serveMcp({
			era: "none",
			handlers: {
				initialize: (_, response) => {
					response.setHeader("mcp-session-id", `s${versions.length}`);
					return { protocolVersion: versions.shift(), serverInfo: {}, capabilities: {} };
				},
				"tools/call": ({ headers, id }, response) =>
					headers["mcp-session-id"] === "s1"
						? { content: [] }
						: sendError(response, 404, id, -32001, "Session not found"),
			},
		});
		const client = connect(server, { protocol: "legacy" });
		await client.callTool("add");
		expect(client.protocol?.revision).toBe("2025-06-18");
	});

	it("is told of the service's own server, too", async () => {
		const server = await serveMcp({ era: "modern", handlers: { "tools/call": () => ({ content: [] }) } });
		const client = createClient({ clientKey: CLIENT_KEY, baseUrl: server.url.replace("/mcp", "") });
		const service = mcp(client);
		expect(service.protocol).toBeUndefined();
		await service.search({ query: "refunds" });
		expect(service.protocol).toEqual(MODERN);
	});
});
