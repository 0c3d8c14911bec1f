import * as built from "@stemma/service";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { begun, speakA2a, status } from "../../../local/src/test-support/a2a-server";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { type Call, type ScriptedTool, speakMcp } from "../../../local/src/test-support/mcp-server";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { type SeenRequest, useRpcServer } from "../../../local/src/test-support/rpc-server";
import { expectApiError, readApiError } from "../test-support/expect-error";
import { sendTo } from "../test-support/send-request";
import { demand } from "../test-support/tenant";
import { fetchToken } from "../test-support/test-deployment";
import { deskWith, type GraphStage, type GraphWorkspace, openGraphStage } from "./test-support/graph-stage";

const FROM_ENVIRONMENT = "of-the-environment-3f7a";
const VALUE = "sealed-value-91c4";
const INPUT = { order: 7 };

let stage: GraphStage;
let other: GraphWorkspace;
const server = useRpcServer();
beforeAll(async () => {
	process.env.STEMMA_TOOL_BILLING = FROM_ENVIRONMENT;
	stage = await openGraphStage(built);
	other = await stage.addWorkspace("other");
});
afterAll(async () => {
	delete process.env.STEMMA_TOOL_BILLING;
	await stage?.close();
});
afterEach(async () => {
	for (const { send } of [stage, other]) await send("DELETE", "/v1/workspace/secrets/billing");
});

const REFUND: ScriptedTool = {
	name: "refund",
	inputSchema: { type: "object", properties: { order: { type: "number" }, note: { type: "string" } } },
};

const serveTool = (call?: Call, tool: ScriptedTool = REFUND) =>
	server.answer(speakMcp({ era: "modern", tools: [tool], ttlMs: 0, ...(call && { call }) }));
const serveAgent = () =>
	server.answer(
		speakA2a({
			events: [
				{ message: { messageId: "1", contextId: "c", role: "ROLE_AGENT", parts: [{ text: "It is law." }] } },
			],
		}),
	);

const auth = { secret: "billing" };
const toTool = (address: string, more: object = { auth }) =>
	deskWith({ id: "refund", kind: "tool", tool: "refund", server: address, ...more });
const toAgent = (url: string, more: object = { auth }) =>
	deskWith({ id: "legal", kind: "remote", url, ...more });

const store = ({ send }: GraphWorkspace, server_url: string, value = VALUE) =>
	demand(send("PUT", "/v1/workspace/secrets/billing", { json: { server_url, value } }));

const authorizations = (): Set<string | undefined> =>
	new Set(server.seen.map(({ headers }) => headers.authorization));

/** Asked for something that counts, and not to tell about itself. */
const listCalls = (): SeenRequest[] =>
	server.seen.filter(({ rpc }) => /^(tools\/call|SendStreamingMessage)$/.test(rpc.method ?? ""));

const KINDS = {
	tool: { toGraph: toTool, serve: () => serveTool(), path: "/mcp" },
	agent: { toGraph: toAgent, serve: serveAgent, path: "/a2a" },
} as const;

describe.each(["tool", "agent"] as const)("a secret of a %s", (kind) => {
	const { toGraph, serve, path } = KINDS[kind];
	const address = () => `${server.url}${path}`;

	it("is what is stored for its server, and never a variable of the environment", async () => {
		serve();
		await stage.save("desk", toGraph(address()));
		const refused = await stage.run("desk", INPUT);
		expect(refused).toMatchObject({ status: "failed", error: { code: "secret_missing" } });
		expect(refused.error?.hint).toContain("stemma secrets set");
		expect(JSON.stringify(refused)).not.toMatch(/STEMMA_TOOL|of-the-environment/);
		expect(server.seen).toEqual([]);
		await store(stage, address());
		expect(await stage.run("desk", INPUT)).toMatchObject({ status: "completed", output: "Done." });
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
		await store(stage, address());
		await stage.save("desk", toGraph(toAddress()));
		const { status: ending, error } = await stage.run("desk", INPUT);
		expect({ ending, code: error?.code }).toEqual({ ending: "failed", code: "secret_missing" });
		expect(error?.message).toContain('"billing"');
		expect(error?.hint).toContain("for exactly this address");
		expect(`${error?.message} ${error?.hint}`).not.toContain("a-hidden-word");
		expect(server.seen).toEqual([]);
	});

	it("is none of another workspace", async () => {
		serve();
		await store(stage, address());
		await other.save("desk", toGraph(address()));
		expect(await other.run("desk", INPUT)).toMatchObject({ error: { code: "secret_missing" } });
		expect(server.seen).toEqual([]);
		await store(other, address(), "value-of-the-other");
		await other.run("desk", INPUT);
		expect(authorizations()).toEqual(new Set(["Bearer value-of-the-other"]));
	});

	it("is the new one from the next call on, and none once it is deleted", async () => {
		serve();
		await stage.save("desk", toGraph(address()));
		for (const value of ["the-first-value", "the-second-value", "the-first-value"]) {
			serve();
			await store(stage, address(), value);
			expect((await stage.run("desk", INPUT)).status).toBe("completed");
			expect(authorizations()).toEqual(new Set([`Bearer ${value}`]));
		}
		serve();
		await demand(stage.send("DELETE", "/v1/workspace/secrets/billing"));
		expect(await stage.run("desk", INPUT)).toMatchObject({ error: { code: "secret_missing" } });
		expect(server.seen).toEqual([]);
	});
});

describe("what a server repeats", () => {
	it("is without its secret in results, events and what models are sent", async () => {
		const said = `You sent Bearer ${VALUE}.`;
		await store(stage, `${server.url}/mcp`);
		await stage.save("desk", toTool(`${server.url}/mcp`));
		const asked = stage.vendor.requests.length;
		for (const isError of [false, true]) {
			serveTool(() => ({ isError, content: [{ type: "text", text: said }] }), {
				...REFUND,
				description: said,
			});
			const result = await stage.run("desk", INPUT);
			expect(result.status).toBe(isError ? "failed" : "completed");
			const events = JSON.stringify(await stage.events(result.run_id));
			expect(events).toMatch(/You sent Bearer (\*{4}|\[redacted\])\./);
			expect(events + JSON.stringify(result)).not.toContain(VALUE);
		}
		const sent = JSON.stringify(stage.vendor.requests.slice(asked).map(({ body }) => body));
		expect(sent).toContain("You sent Bearer ****.");
		expect(sent).not.toContain(VALUE);
	});
});

describe("connections", () => {
	it("are shared by the runs of a workspace, and by no other workspace", async () => {
		const address = `${server.url}/shared`;
		for (const workspace of [stage, other]) {
			await store(workspace, address, "the-same-value");
			await workspace.save("shared", toTool(address));
		}
		let sessions = 0;
		const speak = speakMcp({ era: "legacy", tools: [REFUND] });
		server.answer((request, response) => {
			const writeHead = response.writeHead.bind(response);
			if (request.rpc.method === "initialize") sessions += 1;
			const session = `session-${sessions}`;
			response.writeHead = ((code: number, headers: object) => {
				if (request.rpc.method === "initialize") response.setHeader("mcp-session-id", session);
				return writeHead(code, headers as never);
			}) as typeof response.writeHead;
			return speak(request, response);
		});
		for (const workspace of [stage, stage, other, other])
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
			"fixed_arguments_invalid",
		],
		["is described too long", { ...REFUND, description: "x".repeat(70_000) }, "tool_schema_invalid"],
	])("ends the run before anything is paid, and names the node: it %s", async (_, tool, code) => {
		serveTool(undefined, tool);
		await stage.save("changing", toTool(address(), { arguments: { order: 1 } }));
		const before = stage.vendor.requests.length;
		const { status: ending, error, receipt } = await stage.run("changing", INPUT);
		expect({ ending, code: error?.code, receipt }).toEqual({ ending: "failed", code, receipt: [] });
		expect(error?.message).toContain('"refund"');
		expect(error?.message).toMatch(/^No tool for "refund": /);
		expect(listCalls()).toEqual([]);
		expect(stage.vendor.requests.length).toBe(before);
	});
});

describe("an agent of others", () => {
	it("is on the receipt, and gets the input without the context", async () => {
		serveAgent();
		await stage.save("desk", {
			...toAgent(`${server.url}/a2a`, {}),
			edges: [{ from: "desk", to: "legal", mode: "then" }],
		});
		const { output, receipt } = await stage.run("desk", "Is it law?", { context: { customer: "Ada" } });
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
	async function whenSeen(isIt: (request: SeenRequest) => boolean): Promise<SeenRequest> {
		await expect.poll(() => server.seen.some(isIt), { interval: 5 }).toBe(true);
		return server.seen.find(isIt) as SeenRequest;
	}

	it("ends the call of a tool at once", async () => {
		serveTool(() => new Promise(() => undefined));
		await stage.save("desk", toTool(`${server.url}/mcp`, {}));
		const runId = await stage.start("desk", INPUT);
		const held = await whenSeen(({ rpc }) => rpc.method === "tools/call");
		const startedAt = performance.now();
		expect(await stage.cancel(runId)).toMatchObject({ status: "cancelled" });
		await expect.poll(() => held.isLeft, { interval: 5 }).toBe(true);
		expect(performance.now() - startedAt).toBeLessThan(1000);
	});

	it("ends the task of an agent at once", async () => {
		server.answer(speakA2a({ events: [begun, status("WORKING"), "hold"] }));
		await stage.save("desk", toAgent(`${server.url}/a2a`, {}));
		const runId = await stage.start("desk", INPUT);
		await whenSeen(({ rpc }) => rpc.method === "SendStreamingMessage");
		const startedAt = performance.now();
		// It may not have been told of its task yet.
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(await stage.cancel(runId)).toMatchObject({ status: "cancelled" });
		const cancelled = await whenSeen(({ rpc }) => rpc.method === "CancelTask");
		expect(cancelled.rpc.params).toMatchObject({ id: "t1" });
		expect(performance.now() - startedAt).toBeLessThan(1100);
	});
});

describe("saving a graph", () => {
	const BLOCKED = "http://10.1.2.3/mcp";

	it.each([
		["server", toTool(BLOCKED, {})],
		["url", toAgent(BLOCKED, {})],
		["server", toTool("http://169.254.169.254/mcp", {})],
	])("is refused with the node where its %s may never be called", async (field, graph) => {
		await stage.save("kept", toTool(`${server.url}/mcp`, {}));
		for (const [method, path] of [
			["POST", "/v1/agents"],
			["PUT", "/v1/agents/kept"],
		] as const) {
			const answer = await stage.send(method, path, { json: { graph } });
			expectApiError(answer, 422, "blocked_address");
			expect(readApiError(answer)).toMatchObject({
				param: `graph.nodes[1].${field}`,
				hint: expect.stringContaining("outbound.allow"),
			});
		}
		expect((await stage.send("GET", "/v1/agents/kept")).text).toContain("/mcp");
	});

	it("tells of the operator's setting only to whoever may change settings", async () => {
		const json = { name: "writer", scopes: ["agents:write"] };
		const client = demand<{ id: string; client_secret: string }>(stage.send("POST", "/v1/clients", { json }));
		const { id: client_id, client_secret } = await client;
		const token = await fetchToken(sendTo(stage.deployment.service.fetch), { client_id, client_secret });
		const answer = await stage.send("POST", "/v1/agents", { token, json: { graph: toTool(BLOCKED, {}) } });
		expectApiError(answer, 422, "blocked_address");
		expect(answer.text).not.toMatch(/outbound|10\.1\.2\.3/);
	});

	it("takes names that lead nowhere yet, tools of servers, and agents of others and of the service", async () => {
		for (const graph of [
			toTool("https://no-such-host.example/mcp"),
			toAgent("https://no-such-host.example"),
			deskWith({ id: "legal", kind: "remote", agentId: "nobody" }),
		])
			expect((await stage.send("POST", "/v1/agents", { json: { graph } })).status).toBe(201);
	});

	it("refuses a secret for an agent of the service", async () => {
		const graph = deskWith({ id: "legal", kind: "remote", agentId: "nobody", auth });
		expectApiError(await stage.send("POST", "/v1/agents", { json: { graph } }), 422, "agent_not_runnable");
	});
});
