import type { A2aAgentCard, A2aTask } from "@stemma/client/a2a";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError } from "../test-support/expect-error";
import { getBody } from "../test-support/tenant";
import { openTestDeployment, type TestDeployment } from "../test-support/test-deployment";
import {
	type A2aFixture,
	call,
	GRAPH,
	openStream,
	type RpcOptions,
	readStream,
	sendMessage,
	startA2aFixture,
	toMessage,
	VERSION,
} from "./test-support/a2a-fixture";

let fixture: A2aFixture;
let mine: string;
let others: string;
beforeAll(async () => {
	fixture = await startA2aFixture(built);
	[mine, others] = await Promise.all([fixture.makeKey(), fixture.makeKey()]);
});
afterAll(() => fixture.close());

const TASK_NOT_FOUND = -32001;

const toLook = (id: string): readonly (readonly [string, object])[] => [
	["GetTask", { id }],
	["CancelTask", { id }],
	["SubscribeToTask", { id }],
	["SendMessage", { message: toMessage("More.", { taskId: id }) }],
];

async function expectHidden(id: string, options: RpcOptions): Promise<void> {
	for (const [method, params] of toLook(id)) {
		const { error, text } = await call(fixture, method, params, options);
		expect(error?.code, `${method} ${id}: ${text}`).toBe(TASK_NOT_FOUND);
	}
}

describe("a client key", () => {
	it("reaches what it started by the whole id, through a restart, and nothing by less", async () => {
		const task = await sendMessage(fixture, toMessage("Mine."), { token: mine, configuration: {} });
		expect(task.id).toMatch(/^run_[0-9a-z]+\.rt_/);
		const [runId = "", token = ""] = task.id.split(".");
		await fixture.restart();
		const { result } = await call<A2aTask>(fixture, "GetTask", { id: task.id }, { token: mine });
		expect(result).toMatchObject({ id: task.id, status: { state: "TASK_STATE_COMPLETED" } });
		const forged = `${runId}.${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`;
		for (const id of [runId, `${runId}.`, forged, `.${token}`]) await expectHidden(id, { token: mine });
		await expectHidden(task.id, { token: others });
	});

	it("reaches no task of a server, nor one of another run with that one's token", async () => {
		const { id: servers } = await sendMessage(fixture, toMessage());
		const { id: own } = await sendMessage(fixture, toMessage(), { token: mine });
		const { id: other } = await sendMessage(fixture, toMessage(), { token: others });
		await expectHidden(servers, { token: mine });
		await expectHidden(`${servers}.${own.split(".")[1]}`, { token: mine });
		await expectHidden(`${own.split(".")[0]}.${other.split(".")[1]}`, { token: mine });
	});

	it("lists nothing, and is told why", async () => {
		const { error } = await call(fixture, "ListTasks", {}, { token: mine });
		expect(error).toMatchObject({ code: -32004, message: expect.stringContaining("client key") });
		const rest = await fixture.send("GET", "/a2a/desk/tasks", { token: mine, headers: VERSION });
		expect(rest).toMatchObject({ status: 400, body: { error: { status: "FAILED_PRECONDITION" } } });
	});

	it("gets no task of another page by its message id: it takes all that was said", async () => {
		const message = toMessage("My secret question.");
		const visitor = { token: mine, headers: { "stemma-visitor": "v".repeat(32) } };
		const first = await sendMessage(fixture, message, visitor);
		const guessed = await sendMessage(fixture, { ...message, parts: [{ text: "?" }] }, visitor);
		const again = await sendMessage(fixture, message, visitor);
		const elsewhere = await sendMessage(fixture, message, { ...visitor, token: others });
		expect(again.id).toBe(first.id);
		expect(new Set([first.id, guessed.id, elsewhere.id]).size).toBe(3);
		expect(JSON.stringify(guessed)).not.toContain("secret");
	});

	it("has nothing pushed, and its card says so", async () => {
		const { id } = await sendMessage(fixture, toMessage(), { token: mine });
		const taskPushNotificationConfig = { url: "https://receiver.example/news" };
		const sent = { message: toMessage(), configuration: { taskPushNotificationConfig } };
		for (const [method, params] of [
			["CreateTaskPushNotificationConfig", { taskId: id, ...taskPushNotificationConfig }],
			["ListTaskPushNotificationConfigs", { taskId: id }],
			["SendMessage", sent],
		] as const)
			expect((await call(fixture, method, params, { token: mine })).error?.code).toBe(-32003);
		const path = "/a2a/desk/.well-known/agent-card.json";
		const { body, headers } = await fixture.send("GET", path, { token: mine });
		expect((body as A2aAgentCard).capabilities.pushNotifications).toBe(false);
		expect(headers.get("vary")).toContain("authorization");
	});

	it("meets only the agents and knowledge bases that it was made for", async () => {
		const token = await fixture.makeKey({ agents: ["another"] });
		for (const [method, path] of [
			["POST", "/a2a/desk"],
			["GET", "/a2a/desk/.well-known/agent-card.json"],
		] as const) {
			const json = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message: toMessage() } };
			const request = { token, headers: VERSION, ...(method === "POST" && { json }) };
			expectApiError(await fixture.send(method, path, request), 404, "agent_not_found");
		}
		const base = await getBody<{ id: string }>(
			fixture.send("POST", "/v1/knowledge-bases", { json: { name: "Closed" } }),
		);
		const faq = { id: "faq", kind: "knowledge", knowledgeBases: [base.id] };
		const graph = { nodes: [...GRAPH.nodes, faq], edges: [{ from: "desk", to: "faq", mode: "before" }] };
		await getBody(fixture.send("POST", "/v1/agents", { json: { graph, slug: "closed" } }));
		const noBooks = await fixture.makeKey({ knowledge_base_ids: [] });
		const options = { token: noBooks, agent: "closed" };
		const { status, error } = await call(fixture, "SendMessage", { message: toMessage() }, options);
		expect([status, error?.data[0]?.metadata?.code]).toEqual([200, "knowledge_base_not_found"]);
		const rest = await fixture.send("POST", "/a2a/closed/message:send", {
			token: noBooks,
			headers: VERSION,
			json: { message: toMessage() },
		});
		expect(rest).toMatchObject({ status: 404, body: { error: { code: 404, status: "NOT_FOUND" } } });
	});

	it("has its rate, and its budget", async () => {
		const slow = await fixture.makeKey({ requests_per_minute: 1 });
		await sendMessage(fixture, toMessage(), { token: slow });
		const refused = await call(fixture, "SendMessage", { message: toMessage() }, { token: slow });
		expectApiError(refused, 429, "rate_limited");
		expect(refused.headers.get("retry-after")).toMatch(/^\d+$/);
		const poor = await fixture.makeKey({ tokens_per_day: 1 });
		const task = await sendMessage(fixture, toMessage(), { token: poor, configuration: {} });
		expect(task.status).toMatchObject({
			state: "TASK_STATE_FAILED",
			message: { parts: [{ text: expect.stringContaining("budget") }, {}] },
		});
	});

	it("answers pages of its origins, and asks nothing of a preflight", async () => {
		const origin = "https://page.example";
		const token = await fixture.makeKey({ native: false, origins: [origin] });
		for (const [method, path] of [
			["POST", "/a2a/desk"],
			["POST", "/a2a/desk/message:stream"],
			["GET", "/a2a/desk/tasks/run_1"],
			["GET", "/a2a/desk/.well-known/agent-card.json"],
		] as const) {
			const preflight = await fixture.send("OPTIONS", path, {
				token: null,
				headers: { origin, "access-control-request-method": method },
			});
			expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
			expect(preflight.headers.get("access-control-allow-headers")).toContain("a2a-version");
		}
		const answer = await call(
			fixture,
			"SendMessage",
			{ message: toMessage() },
			{ token, headers: { origin } },
		);
		expect(answer.error).toBeUndefined();
		expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
		const elsewhere = await call(
			fixture,
			"GetTask",
			{ id: "run_1" },
			{ token, headers: { origin: "https://elsewhere.example" } },
		);
		expectApiError(elsewhere, 403, "origin_not_allowed");
	});

	it("sees who paid only where it was made for that", async () => {
		const seen: string[] = [];
		for (const expose of ["answer", "trace"]) {
			const token = await fixture.makeKey({ expose });
			const stream = await openStream(fixture, "SendStreamingMessage", { message: toMessage() }, { token });
			const notifications = [];
			for await (const one of readStream(stream)) notifications.push(one);
			seen.push(JSON.stringify(notifications));
		}
		expect(seen[0]).not.toContain("vendor_host");
		expect(seen[1]).toContain("vendor_host");
	});
});

describe("a server", () => {
	it("sees the tasks of all callers of its workspace, and may end them", async () => {
		const contextId = "of a page";
		fixture.vendor.enqueue({ kind: "silence" });
		const task = await sendMessage(fixture, toMessage("?", { contextId }), { token: mine });
		const [runId = ""] = task.id.split(".");
		const { result } = await call<{ tasks: A2aTask[] }>(fixture, "ListTasks", { contextId });
		expect(result.tasks.map(({ id }) => id)).toEqual([runId]);
		const cancelled = await call<A2aTask>(fixture, "CancelTask", { id: runId });
		expect(cancelled.result.status.state).toBe("TASK_STATE_CANCELED");
		const { result: own } = await call<A2aTask>(fixture, "GetTask", { id: task.id }, { token: mine });
		expect(own.status.state).toBe("TASK_STATE_CANCELED");
	});

	it("without the scope runs nothing", async () => {
		const { client_id, client_secret } = await getBody<{ client_id: string; client_secret: string }>(
			fixture.send("POST", "/v1/clients", { json: { name: "reader", scopes: ["ask"] } }),
		).then((made) => ({ ...made, client_id: (made as unknown as { id: string }).id }));
		const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
		const { access_token: token } = await getBody<{ access_token: string }>(
			fixture.send("POST", "/oauth/token", { form, token: null }),
		);
		expectApiError(
			await call(fixture, "SendMessage", { message: toMessage() }, { token }),
			403,
			"missing_scope",
		);
	});
});

describe("two tenants", () => {
	let deployment: TestDeployment;
	beforeAll(async () => {
		deployment = await openTestDeployment(built);
	});
	afterAll(() => deployment.close());

	it("have nothing in common but the slug", async () => {
		const tenants = await Promise.all(["aardvark", "zebrafish"].map((name) => deployment.addWorkspace(name)));
		const tasks: A2aTask[] = [];
		for (const { send } of tenants) {
			await getBody(send("POST", "/v1/agents", { json: { graph: GRAPH, slug: "desk" } }));
			tasks.push(await sendMessage({ send }, { ...toMessage(), messageId: "same" }, { configuration: {} }));
		}
		const [ours, theirs] = tasks;
		expect(ours?.id).not.toBe(theirs?.id);
		const [{ send } = fixture] = tenants;
		for (const [method, params] of toLook(theirs?.id ?? ""))
			expect((await call({ send }, method, params)).error?.code).toBe(TASK_NOT_FOUND);
		const list = await call<{ tasks: A2aTask[] }>({ send }, "ListTasks", {});
		expect(list.result.tasks.map(({ id }) => id)).toEqual([ours?.id]);
	});
});
