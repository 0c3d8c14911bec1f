import * as built from "@stemma/service";
import {
	artifact,
	type Call,
	createA2aHandler,
	createMcpHandler,
	type ReceivedRequest,
	type ScriptedTool,
	submitted,
	useRpcServer,
} from "@stemma/simulators/rpc";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { expectApiError, readApiError } from "../test-support/expect-error";
import { sendTo } from "../test-support/send-request";
import { getBody } from "../test-support/tenant";
import { fetchToken } from "../test-support/test-deployment";
import {
	type GraphFixture,
	type GraphWorkspace,
	startGraphFixture,
	toGraphWith,
} from "./test-support/graph-fixture";

const FROM_ENVIRONMENT = "of-the-environment-3f7a";
const VALUE = "sealed-value-91c4";
const INPUT = { order: 7 };

let fixture: GraphFixture;
let other: GraphWorkspace;
const server = useRpcServer();
beforeAll(async () => {
	process.env.STEMMA_TOOL_BILLING = FROM_ENVIRONMENT;
	fixture = await startGraphFixture(built);
	other = await fixture.addWorkspace("other");
});
afterAll(async () => {
	delete process.env.STEMMA_TOOL_BILLING;
	await fixture?.close();
});
afterEach(async () => {
	for (const { send } of [fixture, other]) await send("DELETE", "/v1/workspace/secrets/billing");
});

const REFUND: ScriptedTool = {
	name: "refund",
	inputSchema: { type: "object", properties: { order: { type: "number" }, note: { type: "string" } } },
};

const serveTool = (call?: Call, tool: ScriptedTool = REFUND) =>
	server.handle(createMcpHandler({ era: "modern", tools: [tool], ttlMs: 0, ...(call && { call }) }));
const serveAgent = () =>
	server.handle(
		createA2aHandler({
			events: [
				{ message: { messageId: "1", contextId: "c", role: "ROLE_AGENT", parts: [{ text: "It is law." }] } },
			],
		}),
	);

const auth = { secret: "billing" };
const toTool = (address: string, more: object = { auth }) =>
	toGraphWith({ id: "refund", kind: "tool", tool: "refund", server: address, ...more });
const toAgent = (url: string, more: object = { auth }) =>
	toGraphWith({ id: "legal", kind: "remote", url, ...more });

const store = ({ send }: GraphWorkspace, server_url: string, value = VALUE) =>
	getBody(send("PUT", "/v1/workspace/secrets/billing", { json: { server_url, value } }));

const authorizations = (): Set<string | undefined> =>
	new Set(server.received.map(({ headers }) => headers.authorization));

/** Asked for something that counts, and not to tell about itself. */
const listCalls = (): ReceivedRequest[] =>
	server.received.filter(({ rpc }) => /^(tools\/call|SendStreamingMessage)$/.test(rpc.method ?? ""));

const KINDS = {
	tool: { toGraph: toTool, serve: () => serveTool(), path: "/mcp" },
	agent: { toGraph: toAgent, serve: serveAgent, path: "/a2a" },
} as const;

describe.each(["tool", "agent"] as const)("a secret of a %s", (kind) => {
	const { toGraph, serve, path } = KINDS[kind];
	const address = () => `${server.url}${path}`;

	it("is what is stored for its server, and never a variable of the environment", async () => {
		serve();
		await fixture.save("desk", toGraph(address()));
		const refused = await fixture.run("desk", INPUT);
		expect(refused).toMatchObject({ status: "failed", error: { code: "secret_missing" } });
		expect(refused.error?.hint).toContain("stemma secrets set");
		expect(JSON.stringify(refused)).not.toMatch(/STEMMA_TOOL|of-the-environment/);
		expect(server.received).toEqual([]);
		await store(fixture, address());
		expect(await fixture.run("desk", INPUT)).toMatchObject({ status: "completed", output: "Done." });
		expect(authorizations()).toEqual(new Set([`Bearer ${VALUE}`]));
		expect(listCalls()).toHaveLength(1);
		expect(listCalls()[0]?.headers["stemma-depth"]).toBe("1");
	});

	it.each([
		["another path", () => `${server.url}${path}/other`],
		["a path above", () => server.url],
		["a path of other letters", () => `${server.url}${path.toUpperCase()}`],
		["another name of the same host", () => `http://localhost:${new URL(server.url).port}${path}`],
		["a query", () => `${server.url}${path}?key=a-hidden-word`],
		["a longer path", () => `${server.url}${path}%2f..`],
	])("goes nowhere else: %s", async (_, toAddress) => {
		serve();
		await store(fixture, address());
		await fixture.save("desk", toGraph(toAddress()));
		const { status: ending, error } = await fixture.run("desk", INPUT);
		expect({ ending, code: error?.code }).toEqual({ ending: "failed", code: "secret_missing" });
		expect(error?.message).toContain('"billing"');
		expect(error?.hint).toContain("for exactly this address");
		expect(`${error?.message} ${error?.hint}`).not.toContain("a-hidden-word");
		expect(server.received).toEqual([]);
	});

	it("is none of another workspace", async () => {
		serve();
		await store(fixture, address());
		await other.save("desk", toGraph(address()));
		expect(await other.run("desk", INPUT)).toMatchObject({ error: { code: "secret_missing" } });
		expect(server.received).toEqual([]);
		await store(other, address(), "value-of-the-other");
		await other.run("desk", INPUT);
		expect(authorizations()).toEqual(new Set(["Bearer value-of-the-other"]));
	});

	it("is the new one from the next call on, and none once it is deleted", async () => {
		serve();
		await fixture.save("desk", toGraph(address()));
		for (const value of ["the-first-value", "the-second-value", "the-first-value"]) {
			serve();
			await store(fixture, address(), value);
			expect((await fixture.run("desk", INPUT)).status).toBe("completed");
			expect(authorizations()).toEqual(new Set([`Bearer ${value}`]));
		}
		serve();
		await getBody(fixture.send("DELETE", "/v1/workspace/secrets/billing"));
		expect(await fixture.run("desk", INPUT)).toMatchObject({ error: { code: "secret_missing" } });
		expect(server.received).toEqual([]);
	});
});

describe("what a server repeats", () => {
	it("is without its secret in results, events and what models are sent", async () => {
		const echo = `You sent Bearer ${VALUE}.`;
		await store(fixture, `${server.url}/mcp`);
		await fixture.save("desk", toTool(`${server.url}/mcp`));
		const requestCount = fixture.vendor.requests.length;
		for (const isError of [false, true]) {
			serveTool(() => ({ isError, content: [{ type: "text", text: echo }] }), {
				...REFUND,
				description: echo,
			});
			const result = await fixture.run("desk", INPUT);
			expect(result.status).toBe(isError ? "failed" : "completed");
			const events = JSON.stringify(await fixture.events(result.run_id));
			expect(events).toMatch(/You sent Bearer (\*{4}|\[redacted\])\./);
			expect(events + JSON.stringify(result)).not.toContain(VALUE);
		}
		const sent = JSON.stringify(fixture.vendor.requests.slice(requestCount).map(({ body }) => body));
		expect(sent).toContain("You sent Bearer ****.");
		expect(sent).not.toContain(VALUE);
	});
});

describe("connections", () => {
	it("are shared by the runs of a workspace, and by no other workspace", async () => {
		const address = `${server.url}/shared`;
		for (const workspace of [fixture, other]) {
			await store(workspace, address, "the-same-value");
			await workspace.save("shared", toTool(address));
		}
		let sessions = 0;
		const speak = createMcpHandler({ era: "legacy", tools: [REFUND] });
		server.handle((request, response) => {
			const writeHead = response.writeHead.bind(response);
			if (request.rpc.method === "initialize") sessions += 1;
			const session = `session-${sessions}`;
			response.writeHead = ((code: number, headers: object) => {
				if (request.rpc.method === "initialize") response.setHeader("mcp-session-id", session);
				return writeHead(code, headers as never);
			}) as typeof response.writeHead;
			return speak(request, response);
		});
		for (const workspace of [fixture, fixture, other, other])
			expect((await workspace.run("shared", INPUT)).status).toBe("completed");
		expect(sessions).toBe(2);
		expect(listCalls().map(({ headers }) => headers["mcp-session-id"])).toEqual([
			"session-1",
			"session-1",
			"session-2",
			"session-2",
		]);
	});
});

describe("a tool that is not as the graph has it", () => {
	const address = () => `${server.url}/changing`;

	it.each([
		["is gone", { ...REFUND, name: "refunds" }, "tool_not_found"],
		[
			"takes no such argument any more",
			{ ...REFUND, inputSchema: { type: "object", properties: { sum: { type: "number" } } } },
			"preset_arguments_invalid",
		],
		["is described too long", { ...REFUND, description: "x".repeat(70_000) }, "tool_schema_invalid"],
	])("ends the run before anything is paid, and names the node: it %s", async (_, tool, code) => {
		serveTool(undefined, tool);
		await fixture.save("changing", toTool(address(), { arguments: { order: 1 } }));
		const before = fixture.vendor.requests.length;
		const { status: ending, error, receipt } = await fixture.run("changing", INPUT);
		expect({ ending, code: error?.code, receipt }).toEqual({ ending: "failed", code, receipt: [] });
		expect(error?.message).toContain('"refund"');
		expect(error?.message).toMatch(/^No tool for "refund": /);
		expect(listCalls()).toEqual([]);
		expect(fixture.vendor.requests.length).toBe(before);
	});
});

describe("an agent of others", () => {
	it("is on the receipt, and gets the input without the context", async () => {
		serveAgent();
		await fixture.save("desk", {
			...toAgent(`${server.url}/a2a`, {}),
			edges: [{ from: "desk", to: "legal", mode: "then" }],
		});
		const { output, receipt } = await fixture.run("desk", "Is it law?", { context: { customer: "Ada" } });
		expect(output).toBe("It is law.");
		expect(receipt.map(({ node, payer }) => [node, payer])).toEqual([
			["desk", "deployment"],
			["legal", "external"],
		]);
		expect(JSON.stringify(listCalls().map(({ rpc }) => rpc))).not.toContain("Ada");
	});
});

describe("cancelling a run", () => {
	/** A request that is left open, and when it was. */
	async function waitForRequest(isIt: (request: ReceivedRequest) => boolean): Promise<ReceivedRequest> {
		await expect.poll(() => server.received.some(isIt), { interval: 5 }).toBe(true);
		return server.received.find(isIt) as ReceivedRequest;
	}

	it("ends the call of a tool at once", async () => {
		serveTool(() => new Promise(() => undefined));
		await fixture.save("desk", toTool(`${server.url}/mcp`, {}));
		const runId = await fixture.start("desk", INPUT);
		const held = await waitForRequest(({ rpc }) => rpc.method === "tools/call");
		expect(await fixture.cancel(runId)).toMatchObject({ status: "cancelled" });
		await expect.poll(() => held.isAborted, { interval: 5 }).toBe(true);
	});

	it("ends the task of an agent at once", async () => {
		const events = [submitted, artifact("a", [{ text: "So far." }]), "hold" as const];
		server.handle(createA2aHandler({ events }));
		await fixture.save("desk", toAgent(`${server.url}/a2a`, {}));
		const runId = await fixture.start("desk", INPUT);
		// Whoever has a part of the answer knows its task.
		await expect.poll(async () => JSON.stringify(await fixture.events(runId))).toContain("So far.");
		expect(await fixture.cancel(runId)).toMatchObject({ status: "cancelled" });
		const cancelled = await waitForRequest(({ rpc }) => rpc.method === "CancelTask");
		expect(cancelled.rpc.params).toMatchObject({ id: "t1" });
	});
});

describe("saving a graph", () => {
	const BLOCKED = "http://10.1.2.3/mcp";

	it.each([
		["server", toTool(BLOCKED, {})],
		["url", toAgent(BLOCKED, {})],
		["server", toTool("http://169.254.169.254/mcp", {})],
	])("is refused with the node where its %s may never be called", async (field, graph) => {
		await fixture.save("kept", toTool(`${server.url}/mcp`, {}));
		for (const [method, path] of [
			["POST", "/v1/agents"],
			["PUT", "/v1/agents/kept"],
		] as const) {
			const answer = await fixture.send(method, path, { json: { graph } });
			expectApiError(answer, 422, "blocked_address");
			expect(readApiError(answer)).toMatchObject({
				param: `graph.nodes[1].${field}`,
				hint: expect.stringContaining("outbound.allow"),
			});
		}
		expect((await fixture.send("GET", "/v1/agents/kept")).text).toContain("/mcp");
	});

	it("tells of the operator's setting only to whoever may change settings", async () => {
		const json = { name: "writer", scopes: ["agents:write"] };
		const client = getBody<{ id: string; client_secret: string }>(
			fixture.send("POST", "/v1/clients", { json }),
		);
		const { id: client_id, client_secret } = await client;
		const token = await fetchToken(sendTo(fixture.deployment.service.fetch), { client_id, client_secret });
		const answer = await fixture.send("POST", "/v1/agents", { token, json: { graph: toTool(BLOCKED, {}) } });
		expectApiError(answer, 422, "blocked_address");
		expect(answer.text).not.toMatch(/outbound|10\.1\.2\.3/);
	});

	it("takes names that lead nowhere yet, tools of servers, and agents of others and of the service", async () => {
		for (const graph of [
			toTool("https://no-such-host.example/mcp"),
			toAgent("https://no-such-host.example"),
			toGraphWith({ id: "legal", kind: "remote", agentId: "nobody" }),
		])
			expect((await fixture.send("POST", "/v1/agents", { json: { graph } })).status).toBe(201);
	});

	it("refuses a secret for an agent of the service", async () => {
		const graph = toGraphWith({ id: "legal", kind: "remote", agentId: "nobody", auth });
		expectApiError(await fixture.send("POST", "/v1/agents", { json: { graph } }), 422, "agent_not_runnable");
	});
});
