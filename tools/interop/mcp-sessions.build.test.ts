import type { McpResult } from "@stemma/client/mcp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADD, createMcpFixture, LEGACY, MODERN, SUM } from "./mcp-fixture";
import { isInstalled } from "./peers";

const fixture = createMcpFixture();
beforeAll(() => fixture.open());
afterAll(() => fixture.close());

describe.skipIf(!isInstalled)("the MCP client, and how official servers are spoken to", () => {
	it.each([
		["v1/sse", "legacy", "2025-11-25", "official-v1"],
		["v1/stateless", "legacy", "2025-11-25", "official-v1"],
		["v2/both", "modern", "2026-07-28", "official-v2"],
		["v2/modern", "modern", "2026-07-28", "official-v2"],
	])("finds out what a server is: %s", async (endpoint, protocol, protocolVersion, name) => {
		expect(await fixture.connect(endpoint).server()).toMatchObject({
			protocol,
			protocolVersion,
			name,
			instructions: "Add, then count.",
			capabilities: { tools: expect.any(Object) },
		});
	});

	it("speaks the older protocol to a server of both, where it is told to", async () => {
		const client = fixture.connect("v2/both", { protocol: "legacy" });
		expect(await client.callTool("add", ADD)).toMatchObject(SUM);
		expect((await client.sent())[0]).toMatchObject({ rpc: "initialize" });
		expect(await client.server()).toMatchObject({ protocol: "legacy", protocolVersion: "2025-11-25" });
	});

	it("tells that a server speaks the newer protocol alone, where it was told to speak the older", async () => {
		const client = fixture.connect("v2/modern", { protocol: "legacy" });
		await expect(client.callTool("add", ADD)).rejects.toMatchObject({ code: "unsupported_version" });
	});

	it.each(LEGACY)(
		"sends nothing before the first call, and one `initialize` for ten at once: %s",
		async (name) => {
			const client = fixture.connect(name);
			await new Promise((resolve) => setTimeout(resolve, 50));
			expect(await client.sent()).toEqual([]);
			const outcomes = await Promise.all(
				Array.from({ length: 10 }, (_, index) => client.callTool("add", { a: index, b: 1 })),
			);
			expect(outcomes.map((outcome) => (outcome as McpResult).structuredContent)).toEqual(
				Array.from({ length: 10 }, (_, index) => ({ sum: index + 1 })),
			);
			expect(await client.count("initialize")).toBe(1);
			expect(await client.count("notifications/initialized")).toBe(1);
		},
	);

	it.each(MODERN)("sends no `initialize` to a server that wants none: %s", async (name) => {
		const client = fixture.connect(name);
		await Promise.all(Array.from({ length: 10 }, () => client.callTool("add", ADD)));
		const sent = await client.sent();
		expect(new Set(sent.map(({ rpc }) => rpc))).toEqual(new Set(["tools/list", "tools/call"]));
		for (const { rpc, headers } of sent)
			expect(headers).toMatchObject({ "mcp-method": rpc, "mcp-protocol-version": "2026-07-28" });
	});

	it("begins anew after a handshake that failed", async () => {
		const client = fixture.connect("v1/refuses-first", { protocol: "legacy", maxRetries: 0 });
		await expect(client.callTool("add", ADD)).rejects.toMatchObject({ rpcCode: -32603 });
		expect(await client.callTool("add", ADD)).toMatchObject(SUM);
		expect(await client.count("initialize")).toBe(2);
	});

	it("begins another session when the server has forgotten its own", async () => {
		const client = fixture.connect("v1/forgetful");
		for (let call = 0; call < 3; call += 1) expect(await client.callTool("add", ADD)).toMatchObject(SUM);
		expect(await client.count("initialize")).toBe(3);
		const sessions = (await client.sent()).map(({ headers }) => headers?.["mcp-session-id"]);
		expect(new Set(sessions.filter((id) => id !== undefined)).size).toBe(3);
		for (const { rpc, headers } of await client.sent())
			if (rpc === "initialize") expect(headers?.["mcp-session-id"]).toBeUndefined();
	});

	it("begins one other session for ten calls whose session is lost", async () => {
		const client = fixture.connect("v1/forgetful");
		await client.callTool("add", ADD);
		await Promise.all(Array.from({ length: 10 }, () => client.listTools()));
		expect(await client.count("initialize")).toBe(2);
	});

	it("gives up a server that forgets every session at once", async () => {
		const client = fixture.connect("v1/amnesiac");
		await expect(client.callTool("add", ADD)).rejects.toMatchObject({ status: 404 });
		expect(await client.count("initialize")).toBe(2);
		expect(await client.count("tools/call")).toBe(2);
	});

	it("ends its session", async () => {
		const client = fixture.connect("v1/sse");
		await client.callTool("add", ADD);
		await client.close();
		expect((await client.sent()).at(-1)).toMatchObject({ http: "DELETE" });
		expect(await client.callTool("add", ADD)).toMatchObject(SUM);
		expect(await client.count("initialize")).toBe(2);
	});

	it.each(["v1/moved", "v2/moved"])("follows no redirect: %s", async (name) => {
		const client = fixture.connect(name, { token: "a-secret-of-mine" });
		const failure = await client.callTool("add", ADD).catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(Error);
		expect(String(failure)).not.toContain("a-secret-of-mine");
		const target = name === "v1/moved" ? "v1/sse" : "v2/modern";
		const reached = (await fixture.received(target)).filter(
			({ headers }) => headers?.authorization !== undefined,
		);
		expect(reached).toEqual([]);
	});
});
