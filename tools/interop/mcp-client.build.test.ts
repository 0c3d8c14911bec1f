import {
	createMcpClient,
	type McpClientOptions,
	type McpProgress,
	type McpResult,
	type McpValidate,
} from "@stemma/client/mcp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScene } from "../end-to-end/scene";
import { isInstalled, type Peer, type Seen, startPeer } from "./peers";

const scene = createScene();
const peers: Partial<Record<"v1" | "v2", Peer>> = {};

beforeAll(async () => {
	if (!isInstalled) return;
	[peers.v1, peers.v2] = await Promise.all([
		startPeer(scene, "mcp-server-v1"),
		startPeer(scene, "mcp-server-v2"),
	]);
});
afterAll(() => scene.end());

/** A server's endpoint: `v1/sse`. */
function find(name: string): { readonly url: string; readonly seen: () => Promise<readonly Seen[]> } {
	const [version, path] = name.split("/") as ["v1" | "v2", string];
	const peer = peers[version];
	if (peer === undefined) throw new Error(`${version} does not run.`);
	return { url: `${peer.url}/${path}`, seen: () => peer.seen(`/${path}`) };
}

/** Each in a test of its own: what a server sees of them is told apart by the name of the client. */
let clients = 0;

function connect(name: string, options: Omit<McpClientOptions, "url"> = {}) {
	clients += 1;
	const clientHeader = `client-${clients}`;
	const { url, seen } = find(name);
	const client = createMcpClient({
		...options,
		url,
		headers: { "x-client": clientHeader },
		retryDelayMs: 20,
	});
	return {
		...client,
		/** What this client has sent. */
		sent: async () => (await seen()).filter(({ headers }) => headers?.["x-client"] === clientHeader),
		count: async (rpc: string) =>
			(await seen()).filter((entry) => entry.headers?.["x-client"] === clientHeader && entry.rpc === rpc)
				.length,
	};
}

const LEGACY = ["v1/sse", "v1/json", "v1/resumes", "v1/answers-all", "v1/slow", "v1/stateless"];
const MODERN = ["v2/both", "v2/modern", "v2/sse", "v2/json"];
const SUM = {
	status: "complete",
	isError: false,
	content: [{ type: "text", text: "3" }],
	structuredContent: { sum: 3 },
};

const add = { a: 1, b: 2 };

/** Knows two types. */
const validate: McpValidate = ({ type, properties }, value) => {
	if (type === "array") return Array.isArray(value) ? { valid: true } : { valid: false, errors: ["no list"] };
	const sum = (value as { readonly sum?: unknown }).sum;
	return JSON.stringify(properties).includes("number") && typeof sum === "number"
		? { valid: true }
		: { valid: false, errors: ["/sum is no number"] };
};

/** Of the peer of an endpoint, whoever told it. */
const waitForEvents = (name: string, event: string, count: number) =>
	expect
		.poll(
			async () =>
				(await peers[name.slice(0, 2) as "v1" | "v2"]?.seen())?.filter((seen) => seen.event === event).length,
		)
		.toBe(count);

const countEvents = async (name: string, event: string): Promise<number> =>
	((await peers[name.slice(0, 2) as "v1" | "v2"]?.seen()) ?? []).filter((seen) => seen.event === event)
		.length;

describe.skipIf(!isInstalled)("the MCP client and official servers", () => {
	it.each([...LEGACY, ...MODERN])("calls a tool: %s", async (name) => {
		expect(await connect(name).callTool("add", add)).toMatchObject(SUM);
	});

	it.each([
		["v1/sse", "legacy", "2025-11-25", "official-v1"],
		["v1/stateless", "legacy", "2025-11-25", "official-v1"],
		["v2/both", "modern", "2026-07-28", "official-v2"],
		["v2/modern", "modern", "2026-07-28", "official-v2"],
	])("finds out what a server is: %s", async (endpoint, protocol, protocolVersion, name) => {
		expect(await connect(endpoint).server()).toMatchObject({
			protocol,
			protocolVersion,
			name,
			instructions: "Add, then count.",
			capabilities: { tools: expect.any(Object) },
		});
	});

	it("speaks the older protocol to a server of both, where it is told to", async () => {
		const client = connect("v2/both", { protocol: "legacy" });
		expect(await client.callTool("add", add)).toMatchObject(SUM);
		expect((await client.sent())[0]).toMatchObject({ rpc: "initialize" });
		expect(await client.server()).toMatchObject({ protocol: "legacy", protocolVersion: "2025-11-25" });
	});

	it("tells that a server speaks the newer protocol alone, where it was told to speak the older", async () => {
		const client = connect("v2/modern", { protocol: "legacy" });
		await expect(client.callTool("add", add)).rejects.toMatchObject({ code: "unsupported_version" });
	});

	it.each(LEGACY)(
		"sends nothing before the first call, and one `initialize` for ten at once: %s",
		async (name) => {
			const client = connect(name);
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
		const client = connect(name);
		await Promise.all(Array.from({ length: 10 }, () => client.callTool("add", add)));
		const sent = await client.sent();
		expect(new Set(sent.map(({ rpc }) => rpc))).toEqual(new Set(["tools/list", "tools/call"]));
		for (const { rpc, headers } of sent)
			expect(headers).toMatchObject({ "mcp-method": rpc, "mcp-protocol-version": "2026-07-28" });
	});

	it("begins anew after a handshake that failed", async () => {
		const client = connect("v1/refuses-first", { protocol: "legacy", maxRetries: 0 });
		await expect(client.callTool("add", add)).rejects.toMatchObject({ rpcCode: -32603 });
		expect(await client.callTool("add", add)).toMatchObject(SUM);
		expect(await client.count("initialize")).toBe(2);
	});

	it("begins another session when the server has forgotten its own", async () => {
		const client = connect("v1/forgetful");
		for (let call = 0; call < 3; call += 1) expect(await client.callTool("add", add)).toMatchObject(SUM);
		expect(await client.count("initialize")).toBe(3);
		const sessions = (await client.sent()).map(({ headers }) => headers?.["mcp-session-id"]);
		expect(new Set(sessions.filter((id) => id !== undefined)).size).toBe(3);
		for (const { rpc, headers } of await client.sent())
			if (rpc === "initialize") expect(headers?.["mcp-session-id"]).toBeUndefined();
	});

	it("begins one other session for ten calls whose session is lost", async () => {
		const client = connect("v1/forgetful");
		await client.callTool("add", add);
		await Promise.all(Array.from({ length: 10 }, () => client.listTools()));
		expect(await client.count("initialize")).toBe(2);
	});

	it("gives up a server that forgets every session at once", async () => {
		const client = connect("v1/amnesiac");
		await expect(client.callTool("add", add)).rejects.toMatchObject({ status: 404 });
		expect(await client.count("initialize")).toBe(2);
		expect(await client.count("tools/call")).toBe(2);
	});

	it.each(["v1/sse", "v1/json"])("reads all pages, past an empty cursor: %s", async (name) => {
		const client = connect(name);
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
		const client = connect("v2/paged");
		const { tools } = await client.listTools();
		expect(tools.map((tool) => tool.name)).toEqual(["first", "second"]);
		const sent = (await client.sent()).filter(({ rpc }) => rpc === "tools/list");
		expect(sent.map(({ params }) => params?.cursor)).toEqual([undefined, ""]);
	});

	it("takes any JSON for structured content from a modern server", async () => {
		const client = connect("v2/paged", { validate });
		expect(await client.callTool("second")).toMatchObject({ structuredContent: [1, 2] });
	});

	it("holds structured content against the schema, where it is asked to", async () => {
		const client = connect("v1/sse", { validate });
		expect(await client.callTool("add", add)).toMatchObject(SUM);
		await expect(client.callTool("wrong_shape")).rejects.toMatchObject({
			code: "output_invalid",
			message: expect.stringContaining("sum"),
		});
		expect(await connect("v1/sse").callTool("wrong_shape")).toMatchObject({
			structuredContent: { sum: "many" },
		});
	});

	it.each(["v1/sse", "v1/json", "v2/modern", "v2/sse"])(
		"gives back what a tool fails with: %s",
		async (name) => {
			expect(await connect(name).callTool("fail")).toMatchObject({
				status: "complete",
				isError: true,
				content: [{ type: "text", text: "The warehouse is closed." }],
			});
		},
	);

	it.each(["v1/sse", "v1/json"])("tells an error of JSON-RPC that came with HTTP 200: %s", async (name) => {
		await expect(connect(name).callTool("refuse")).rejects.toMatchObject({
			name: "McpError",
			rpcCode: -32602,
			message: expect.stringContaining("Nothing is right about this."),
			data: { field: "everything" },
		});
	});

	it.each(["v1/sse", "v2/modern"])("tells that there is no such tool: %s", async (name) => {
		await expect(connect(name).callTool("nowhere")).rejects.toMatchObject({
			name: "McpError",
			rpcCode: -32602,
		});
	});

	it("reads every kind of content", async () => {
		const { content } = (await connect("v1/sse").callTool("pictures")) as McpResult;
		expect(content).toEqual([
			{ type: "image", data: "aW1hZ2U=", mimeType: "image/png" },
			{ type: "audio", data: "c291bmQ=", mimeType: "audio/wav" },
			{ type: "resource_link", uri: "file:///plan.txt", name: "plan" },
			{ type: "resource", resource: { uri: "file:///plan.txt", text: "first this, then that" } },
		]);
	});

	it.each(["v1/sse", "v2/modern", "v2/sse"])("tells how far a call is: %s", async (name) => {
		const told: McpProgress[] = [];
		const outcome = await connect(name).callTool(
			"count",
			{ to: 3 },
			{ onProgress: (progress) => told.push(progress) },
		);
		expect(outcome).toMatchObject({ content: [{ type: "text", text: "counted to 3" }] });
		expect(told).toEqual(
			[1, 2, 3].map((progress) => ({ progress, total: 3, message: `number ${progress}` })),
		);
	});

	it("goes on without news where a server answers with JSON alone", async () => {
		const told: McpProgress[] = [];
		const options = { onProgress: (progress: McpProgress) => void told.push(progress) };
		expect(await connect("v2/json").callTool("count", { to: 3 }, options)).toMatchObject({ isError: false });
		expect(told).toEqual([]);
	});

	it.each(["v1/sse", "v1/json", "v2/modern", "v2/sse"])("cancels a call at the server: %s", async (name) => {
		const abort = new AbortController();
		const [started, cancelled] = await Promise.all([
			countEvents(name, "started"),
			countEvents(name, "cancelled"),
		]);
		const client = connect(name);
		const call = client.callTool("endless", {}, { signal: abort.signal });
		const failed = expect(call).rejects.toThrow("enough");
		await waitForEvents(name, "started", started + 1);
		abort.abort(new Error("enough"));
		await failed;
		await waitForEvents(name, "cancelled", cancelled + 1);
		const notified = (await client.sent()).filter(({ rpc }) => rpc === "notifications/cancelled");
		expect(notified).toHaveLength(name.startsWith("v1") ? 1 : 0);
		expect(await client.callTool("add", add)).toMatchObject(SUM);
	});

	it.each(["v1/sse", "v2/modern"])("cancels at the server what has taken too long: %s", async (name) => {
		const cancelled = await countEvents(name, "cancelled");
		const call = connect(name).callTool("endless", {}, { timeouts: { totalMs: 300 } });
		await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
		await waitForEvents(name, "cancelled", cancelled + 1);
	});

	it("takes an answer up again whose stream was cut, after the pause that the server wants", async () => {
		const client = connect("v1/resumes");
		expect(await client.callTool("drop")).toMatchObject({ content: [{ type: "text", text: "after all" }] });
		const resumed = (await client.sent()).filter(({ http }) => http === "GET");
		expect(resumed.length).toBeGreaterThan(0);
		for (const { headers } of resumed) expect(headers?.["last-event-id"]).toMatch(/./);
		expect(await client.count("tools/call")).toBe(1);
	});

	it("ends its session", async () => {
		const client = connect("v1/sse");
		await client.callTool("add", add);
		await client.close();
		expect((await client.sent()).at(-1)).toMatchObject({ http: "DELETE" });
		expect(await client.callTool("add", add)).toMatchObject(SUM);
		expect(await client.count("initialize")).toBe(2);
	});

	it("sends arguments as headers that a tool wants so", async () => {
		const client = connect("v2/modern");
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
		const declared = { maxRetries: 0, capabilities: { elicitation: { form: {} } } };
		const client = connect("v2/modern", declared);
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

	it.each(["v1/moved", "v2/moved"])("follows no redirect: %s", async (name) => {
		const client = connect(name, { token: "a-secret-of-mine" });
		const failure = await client.callTool("add", add).catch((error: unknown) => error);
		expect(failure).toBeInstanceOf(Error);
		expect(String(failure)).not.toContain("a-secret-of-mine");
		const target = name === "v1/moved" ? "v1/sse" : "v2/modern";
		const reached = (await find(target).seen()).filter(({ headers }) => headers?.authorization !== undefined);
		expect(reached).toEqual([]);
	});
});
