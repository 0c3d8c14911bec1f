import type { McpProgress, McpResult, McpValidate } from "@stemma/client/mcp";
import type { Json } from "@stemma/core";
import { validateSchema } from "@stemma/local";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADD, createMcpFixture, LEGACY, MODERN, SUM } from "./mcp-fixture";
import { isInstalled } from "./peers";

const fixture = createMcpFixture();
beforeAll(() => fixture.open());
afterAll(() => fixture.close());

const validate: McpValidate = (schema, value) => validateSchema(schema, value as Json);

const waitForEvents = (endpoint: string, event: string, count: number) =>
	expect.poll(() => fixture.countEvents(endpoint, event)).toBe(count);

describe.skipIf(!isInstalled)("the MCP client and the tools of official servers", () => {
	it.each([...LEGACY, ...MODERN])("calls a tool: %s", async (name) => {
		expect(await fixture.connect(name).callTool("add", ADD)).toMatchObject(SUM);
	});

	it.each(["v1/sse", "v1/json"])("reads all pages, past an empty cursor: %s", async (name) => {
		const client = fixture.connect(name);
		const { tools } = await client.listTools();
		expect(tools.map((tool) => tool.name)).toEqual([
			"add",
			"wrong_shape",
			"fail",
			"refuse",
			"pictures",
			"count",
			"endless",
			"drop",
		]);
		const cursors = (await client.sent())
			.filter(({ rpc, headers }) => rpc === "tools/list" && headers?.["mcp-session-id"])
			.map(({ params }) => params?.cursor);
		expect(cursors).toEqual([undefined, "", "the last"]);
	});

	it("reads all pages of a modern server, past an empty cursor", async () => {
		const client = fixture.connect("v2/paged");
		const { tools } = await client.listTools();
		expect(tools.map((tool) => tool.name)).toEqual(["first", "second"]);
		const sent = (await client.sent()).filter(({ rpc }) => rpc === "tools/list");
		expect(sent.map(({ params }) => params?.cursor)).toEqual([undefined, ""]);
	});

	it("takes any JSON for structured content from a modern server", async () => {
		const client = fixture.connect("v2/paged", { validate });
		expect(await client.callTool("second")).toMatchObject({ structuredContent: [1, 2] });
	});

	it("holds structured content against the schema, where it is asked to", async () => {
		const client = fixture.connect("v1/sse", { validate });
		expect(await client.callTool("add", ADD)).toMatchObject(SUM);
		await expect(client.callTool("wrong_shape")).rejects.toMatchObject({
			code: "output_invalid",
			message: expect.stringContaining("sum"),
		});
		expect(await fixture.connect("v1/sse").callTool("wrong_shape")).toMatchObject({
			structuredContent: { sum: "many" },
		});
	});

	it.each(["v1/sse", "v1/json", "v2/modern", "v2/sse"])(
		"gives back what a tool fails with: %s",
		async (name) => {
			expect(await fixture.connect(name).callTool("fail")).toMatchObject({
				status: "complete",
				isError: true,
				content: [{ type: "text", text: "The warehouse is closed." }],
			});
		},
	);

	it.each(["v1/sse", "v1/json"])("tells an error of JSON-RPC that came with HTTP 200: %s", async (name) => {
		await expect(fixture.connect(name).callTool("refuse")).rejects.toMatchObject({
			name: "McpError",
			rpcCode: -32602,
			message: expect.stringContaining("Nothing is right about this."),
			data: { field: "everything" },
		});
	});

	it.each(["v1/sse", "v2/modern"])("tells that there is no such tool: %s", async (name) => {
		await expect(fixture.connect(name).callTool("nowhere")).rejects.toMatchObject({
			name: "McpError",
			rpcCode: -32602,
		});
	});

	it("reads every kind of content", async () => {
		const { content } = (await fixture.connect("v1/sse").callTool("pictures")) as McpResult;
		expect(content).toEqual([
			{ type: "image", data: "aW1hZ2U=", mimeType: "image/png" },
			{ type: "audio", data: "c291bmQ=", mimeType: "audio/wav" },
			{ type: "resource_link", uri: "file:///plan.txt", name: "plan" },
			{ type: "resource", resource: { uri: "file:///plan.txt", text: "first this, then that" } },
		]);
	});

	it.each(["v1/sse", "v2/modern", "v2/sse"])("tells how far a call is: %s", async (name) => {
		const progressEvents: McpProgress[] = [];
		const outcome = await fixture
			.connect(name)
			.callTool("count", { to: 3 }, { onProgress: (progress) => progressEvents.push(progress) });
		expect(outcome).toMatchObject({ content: [{ type: "text", text: "counted to 3" }] });
		expect(progressEvents).toEqual(
			[1, 2, 3].map((progress) => ({ progress, total: 3, message: `number ${progress}` })),
		);
	});

	it("goes on without news where a server answers with JSON alone", async () => {
		const progressEvents: McpProgress[] = [];
		const options = { onProgress: (progress: McpProgress) => void progressEvents.push(progress) };
		expect(await fixture.connect("v2/json").callTool("count", { to: 3 }, options)).toMatchObject({
			isError: false,
		});
		expect(progressEvents).toEqual([]);
	});

	it.each(["v1/sse", "v1/json", "v2/modern", "v2/sse"])("cancels a call at the server: %s", async (name) => {
		const abort = new AbortController();
		const [started, cancelled] = await Promise.all([
			fixture.countEvents(name, "started"),
			fixture.countEvents(name, "cancelled"),
		]);
		const client = fixture.connect(name);
		const call = client.callTool("endless", {}, { signal: abort.signal });
		const failed = expect(call).rejects.toThrow("enough");
		await waitForEvents(name, "started", started + 1);
		abort.abort(new Error("enough"));
		await failed;
		await waitForEvents(name, "cancelled", cancelled + 1);
		const notified = (await client.sent()).filter(({ rpc }) => rpc === "notifications/cancelled");
		expect(notified).toHaveLength(name.startsWith("v1") ? 1 : 0);
		expect(await client.callTool("add", ADD)).toMatchObject(SUM);
	});

	// The call has to be there before it takes too long.
	it.each(["v1/sse", "v2/modern"])(
		"cancels at the server what has taken too long: %s",
		{ retry: 3 },
		async (name) => {
			const cancelled = await fixture.countEvents(name, "cancelled");
			const client = fixture.connect(name);
			await client.callTool("add", ADD);
			const call = client.callTool("endless", {}, { timeouts: { timeoutMs: 2000 } });
			await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
			await waitForEvents(name, "cancelled", cancelled + 1);
		},
	);

	it("takes an answer up again whose stream was cut, after the pause that the server wants", async () => {
		const client = fixture.connect("v1/resumes");
		expect(await client.callTool("drop")).toMatchObject({ content: [{ type: "text", text: "after all" }] });
		const resumed = (await client.sent()).filter(({ http }) => http === "GET");
		expect(resumed.length).toBeGreaterThan(0);
		for (const { headers } of resumed) expect(headers?.["last-event-id"]).toMatch(/./);
		expect(await client.count("tools/call")).toBe(1);
	});

	it("sends arguments as headers that a tool wants so", async () => {
		const client = fixture.connect("v2/modern");
		const outcome = await client.callTool("where", { region: "Zürich", shelf: 7, note: "quiet" });
		expect(outcome).toMatchObject({ content: [{ type: "text", text: "Zürich/7" }] });
		const call = (await client.sent()).find(({ rpc }) => rpc === "tools/call");
		expect(call?.headers).toMatchObject({
			"mcp-name": "where",
			"mcp-param-region": `=?base64?${Buffer.from("Zürich").toString("base64")}?=`,
			"mcp-param-shelf": "7",
		});
		expect(Object.keys(call?.headers ?? {})).not.toContain("mcp-param-note");
	});

	it("gives what a tool asks back, and goes on with the answer", async () => {
		// What is not declared, a server must not ask for.
		const client = fixture.connect("v2/modern", { capabilities: { elicitation: { form: {} } } });
		const outcome = await client.callTool("deploy", { to: "production" });
		if (outcome.status !== "input_required") throw new Error("It was not asked.");
		expect(outcome.inputRequests).toMatchObject({
			sure: { method: "elicitation/create", params: { message: "Deploy to production?" } },
		});
		const done = await outcome.continue({ sure: { action: "accept", content: { confirm: true } } });
		expect(done).toMatchObject({
			status: "complete",
			content: [{ type: "text", text: "deployed to production" }],
		});
		const declined = await outcome.continue({ sure: { action: "decline" } });
		expect(declined.status).toBe("input_required");
	});
});
