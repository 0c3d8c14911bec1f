import type { A2aAgentCard, A2aStreamResponse, A2aTask, A2aTaskList } from "@stemma/client/a2a";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError } from "../test-support/expect-error";
import {
	type A2aStage,
	call,
	openA2aStage,
	openStream,
	readStream,
	sendMessage,
	toMessage,
	VERSION,
	whenState,
} from "./test-support/a2a-stage";
import { toState } from "./test-support/webhook";

let stage: A2aStage;
beforeAll(async () => {
	stage = await openA2aStage(built);
});
afterAll(() => stage.close());

const reply = (text: string) => ({ kind: "reply", text }) as const;
const silence = { kind: "silence" } as const;

async function collect(response: Response): Promise<A2aStreamResponse[]> {
	const seen: A2aStreamResponse[] = [];
	for await (const news of readStream(response)) seen.push(news);
	return seen;
}

describe("the card of an agent", () => {
	it("is at its own address, says how to come in, and changes with the agent", async () => {
		const path = "/a2a/desk/.well-known/agent-card.json";
		const answer = await stage.send("GET", path);
		const card = answer.body as A2aAgentCard;
		expect(answer.headers.get("cache-control")).toMatch(/^private/);
		expect(card).toMatchObject({
			name: "Desk",
			description: "Answers at the desk.",
			version: "1",
			capabilities: { streaming: true, pushNotifications: true },
		});
		expect(card.supportedInterfaces.map(({ url }) => url)).toEqual([
			`${stage.url()}/a2a/desk`,
			`${stage.url()}/a2a/desk`,
		]);
		expect(JSON.stringify(card.securitySchemes)).toContain(`${stage.url()}/oauth/token`);
		const etag = answer.headers.get("etag") ?? "";
		expect((await stage.send("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
		const proxied = await stage.send("GET", path, { headers: { "x-forwarded-proto": "https" } });
		expect((proxied.body as A2aAgentCard).supportedInterfaces[0]?.url).toMatch(/^https:\/\/127/);
	});

	it.each([
		["GET", "/a2a/desk/.well-known/agent-card.json"],
		["POST", "/a2a/desk"],
		["POST", "/a2a/desk/message:send"],
		["GET", "/a2a/desk/tasks"],
	])("needs a credential, as all of the agent does: %s %s", async (method, path) => {
		const answer = await stage.send(method, path, { token: null, headers: VERSION });
		expectApiError(answer, 401, "missing_credentials");
		expect(answer.headers.get("www-authenticate")).toBe("Bearer");
		expectApiError(
			await stage.send(method, path.replace("desk", "nobody"), { headers: VERSION }),
			404,
			"agent_not_found",
		);
	});
});

describe("a task", () => {
	it("is a run: sent, asked for, listed, and found among the runs", async () => {
		stage.vendor.enqueue(reply("At nine."));
		const message = toMessage("When do you open?", { contextId: "conversation-1" });
		const task = await sendMessage(stage, message, { configuration: {} });
		expect(task).toMatchObject({
			contextId: "conversation-1",
			status: { state: "TASK_STATE_COMPLETED" },
			artifacts: [{ parts: [{ text: "At nine." }] }],
			history: [{ messageId: message.messageId, parts: [{ text: "When do you open?" }] }],
		});
		expect((await call<A2aTask>(stage, "GetTask", { id: task.id })).result).toEqual(task);
		const { result: page } = await call<A2aTaskList>(stage, "ListTasks", { contextId: "conversation-1" });
		expect(page).toMatchObject({ totalSize: 1, nextPageToken: "", tasks: [{ id: task.id }] });
		expect((await stage.send("GET", `/v1/runs/${task.id}`)).body).toMatchObject({
			status: "completed",
			result: { output: "At nine." },
		});
	});

	it("streams, by both bindings, and ends with its run", async () => {
		stage.vendor.enqueue(reply("One two three four."), reply("One two three four."));
		const params = { message: toMessage() };
		const byRpc = await collect(await openStream(stage, "SendStreamingMessage", params));
		expect(byRpc[0]).toHaveProperty("task");
		expect(
			byRpc
				.map(toState)
				.filter((state) => state !== undefined)
				.at(-1),
		).toBe("TASK_STATE_COMPLETED");
		const text = byRpc.flatMap((news) =>
			"artifactUpdate" in news ? news.artifactUpdate.artifact.parts : [],
		);
		expect(text.map((part) => part.text).join("")).toBe("One two three four.");
		const rest = await stage.send("POST", "/a2a/desk/message:stream", {
			json: { message: toMessage() },
			headers: VERSION,
		});
		expect(rest.headers.get("content-type")).toBe("text/event-stream");
		expect(rest.text).toContain("TASK_STATE_COMPLETED");
	});

	it("is there after a restart, also to subscribe to, and one that was under way has ended", async () => {
		stage.vendor.enqueue(reply("Still here."), silence);
		const done = await sendMessage(stage, toMessage(), { configuration: {} });
		const cut = await sendMessage(stage, toMessage());
		await stage.restart();
		expect((await call<A2aTask>(stage, "GetTask", { id: done.id })).result).toEqual(done);
		const { result } = await call<A2aTask>(stage, "GetTask", { id: cut.id });
		expect(result.status.state).toMatch(/CANCELED|FAILED/);
		expect((await call(stage, "SubscribeToTask", { id: done.id })).error?.code).toBe(-32004);
		stage.vendor.enqueue({ ...reply("a b c d e f"), pauseMs: 30 });
		const running = await sendMessage(stage, toMessage());
		const seen = await collect(await openStream(stage, "SubscribeToTask", { id: running.id }));
		expect(seen.map(toState).at(-1)).toBe("TASK_STATE_COMPLETED");
	});

	it("goes on when its caller leaves, and is cancelled when asked to", async () => {
		stage.vendor.enqueue(silence);
		const leave = new AbortController();
		const stream = await openStream(
			stage,
			"SendStreamingMessage",
			{ message: toMessage() },
			{ signal: leave.signal },
		);
		const first = await readStream(stream).next();
		const id = "task" in first.value ? first.value.task.id : "";
		leave.abort();
		await whenState(stage, id, "TASK_STATE_WORKING");
		const { result } = await call<A2aTask>(stage, "CancelTask", { id });
		expect(result.status.state).toBe("TASK_STATE_CANCELED");
		expect((await stage.send("GET", `/v1/runs/${id}`)).body).toMatchObject({ status: "cancelled" });
	});

	it("ends its streams when the service stops, and is there afterwards", async () => {
		stage.vendor.enqueue(silence);
		const stream = await openStream(stage, "SendStreamingMessage", { message: toMessage() });
		const reading = collect(stream);
		await expect.poll(() => stage.vendor.requests.at(-1)?.isAnswered).toBe(false);
		const begun = Date.now();
		await stage.restart();
		expect(Date.now() - begun).toBeLessThan(3000);
		const seen = await reading;
		expect(seen.map(toState).at(-1)).toBe("TASK_STATE_CANCELED");
		const id = seen[0] !== undefined && "task" in seen[0] ? seen[0].task.id : "";
		await whenState(stage, id, "TASK_STATE_CANCELED");
	});

	it("of the same message of the same caller is the same, also when it is sent twice at once", async () => {
		const message = toMessage("Once.");
		const send = () => sendMessage(stage, message);
		const ids = (await Promise.all([send(), send(), send()])).map(({ id }) => id);
		await stage.restart();
		ids.push((await send()).id);
		expect(new Set(ids).size).toBe(1);
		const { result } = await call<A2aTaskList>(stage, "ListTasks", { pageSize: 100, historyLength: 1 });
		const same = result.tasks.filter(({ history }) => history?.[0]?.messageId === message.messageId);
		expect(same).toHaveLength(1);
	});

	it("is listed by pages, states and times", async () => {
		const contextId = "pages";
		const ids: string[] = [];
		for (let number = 0; number < 5; number++)
			ids.unshift((await sendMessage(stage, toMessage("?", { contextId }), { configuration: {} })).id);
		const list = async (more: object): Promise<A2aTaskList> =>
			(await call<A2aTaskList>(stage, "ListTasks", { contextId, ...more })).result;
		const first = await list({ pageSize: 3 });
		const second = await list({ pageSize: 3, pageToken: first.nextPageToken });
		expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual(ids);
		expect([first.totalSize, second.totalSize, second.nextPageToken]).toEqual([5, 5, ""]);
		expect((await list({ status: "TASK_STATE_COMPLETED" })).totalSize).toBe(5);
		expect((await list({ status: "TASK_STATE_WORKING" })).totalSize).toBe(0);
		expect((await list({ status: "TASK_STATE_AUTH_REQUIRED" })).totalSize).toBe(0);
		const later = new Date(Date.now() + 60_000).toISOString();
		expect((await list({ statusTimestampAfter: later })).totalSize).toBe(0);
		const bad = await call(stage, "ListTasks", { pageToken: "' OR 1=1" });
		expect(bad.error?.code).toBe(-32602);
	});

	it("is listed by the time of its status, the last first, and found by it", async () => {
		const contextId = "by status";
		const more = { configuration: {} };
		stage.vendor.enqueue(silence);
		const slow = await sendMessage(stage, toMessage("slow", { contextId }));
		await whenState(stage, slow.id, "TASK_STATE_WORKING");
		const quick = await sendMessage(stage, toMessage("quick", { contextId }), more);
		const list = async (query: object = {}) =>
			(await call<A2aTaskList>(stage, "ListTasks", { contextId, ...query })).result.tasks;
		const ids = async (query?: object) => (await list(query)).map(({ id }) => id);
		expect(await ids()).toEqual([quick.id, slow.id]);
		await call(stage, "CancelTask", { id: slow.id });
		const [first, second] = await list();
		expect([first?.id, second?.id]).toEqual([slow.id, quick.id]);
		expect(await ids({ statusTimestampAfter: first?.status.timestamp })).toEqual([slow.id]);
	});

	it("belongs to the agent that it was sent to", async () => {
		const graph = { nodes: [{ id: "other", kind: "coordinator" }] };
		await stage.send("POST", "/v1/agents", { json: { graph, slug: "other" } });
		const message = toMessage();
		const task = await sendMessage(stage, message);
		const elsewhere = { agent: "other" };
		expect((await call(stage, "GetTask", { id: task.id }, elsewhere)).error?.code).toBe(-32001);
		expect((await call(stage, "CancelTask", { id: task.id }, elsewhere)).error?.code).toBe(-32001);
		expect((await sendMessage(stage, message, elsewhere)).id).not.toBe(task.id);
		await whenState(stage, task.id, "TASK_STATE_COMPLETED");
	});

	it("is not made of a run that came in otherwise", async () => {
		const run = await stage.send("POST", "/v1/agents/desk/run", { json: { input: "?" } });
		const { run_id: id } = run.body as { readonly run_id: string };
		expect((await call(stage, "GetTask", { id })).error?.code).toBe(-32001);
	});
});

it("JSON-RPC answers at the address with a slash behind it, too", async () => {
	const json = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message: toMessage() } };
	const { status, body } = await stage.send("POST", "/a2a/desk/", { json, headers: VERSION });
	expect([status, body]).toMatchObject([200, { result: { task: { id: expect.stringMatching(/^run_/) } } }]);
	const page = await stage.send("OPTIONS", "/a2a/desk/", {
		token: null,
		headers: { origin: "https://app.example", "access-control-request-method": "POST" },
	});
	expect([page.status, page.headers.get("access-control-allow-methods")]).toEqual([204, "POST"]);
});

it("the card names the public address, where one is set", async () => {
	await stage.restart({ listen: { port: 0, public_url: "https://stemma.example" } });
	const { text } = await stage.send("GET", "/a2a/desk/.well-known/agent-card.json");
	expect(text).toContain('"https://stemma.example/a2a/desk"');
	expect(text).not.toContain("127.0.0.1");
	await stage.restart();
});

describe("limits", () => {
	it("say their status and when to come again, in the protocol's own errors", async () => {
		await stage.restart({ limits: { concurrent_runs: 1 } });
		stage.vendor.enqueue(silence);
		const { id } = await sendMessage(stage, toMessage());
		const refused = await call(stage, "SendMessage", { message: toMessage() });
		expect(refused).toMatchObject({
			status: 429,
			error: { code: -32603, data: [{ metadata: { code: "too_many_runs" } }] },
		});
		expect(refused.headers.get("retry-after")).toBe("1");
		await call(stage, "CancelTask", { id });
		await stage.restart();
	});

	it("of data are told in few words, by the protocol alone", async () => {
		let data: unknown = "\ud800";
		for (let depth = 0; depth < 150; depth += 1) data = [data];
		const message = { ...toMessage(), parts: [{ data }] };
		const { status, error } = await call(stage, "SendMessage", { message } as object);
		expect([status, error?.code]).toEqual([200, -32602]);
		expect(error?.message).toMatch(/^"input\[0\]\[0\].*…/);
		expect(error?.message.length).toBeLessThan(300);
	});

	it("end a circle of agents", async () => {
		const headers = { "stemma-depth": "9" };
		const looped = await call(stage, "SendMessage", { message: toMessage() }, { headers });
		expectApiError(looped, 400, "agent_loop");
	});
});
