import type { A2aAgentCard, A2aStreamResponse, A2aTask, A2aTaskList } from "@stemma/client/a2a";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectApiError } from "../test-support/expect-error";
import {
	type A2aFixture,
	call,
	openStream,
	readStream,
	sendMessage,
	startA2aFixture,
	toMessage,
	VERSION,
	waitForState,
} from "./test-support/a2a-fixture";
import { toState } from "./test-support/webhook";

let fixture: A2aFixture;
beforeAll(async () => {
	fixture = await startA2aFixture(built);
});
afterAll(() => fixture.close());

const reply = (text: string) => ({ kind: "reply", text }) as const;
const silence = { kind: "silence" } as const;

async function collect(response: Response): Promise<A2aStreamResponse[]> {
	const seen: A2aStreamResponse[] = [];
	for await (const notification of readStream(response)) seen.push(notification);
	return seen;
}

describe("the card of an agent", () => {
	it("is at its own address, says how to come in, and changes with the agent", async () => {
		const path = "/a2a/desk/.well-known/agent-card.json";
		const answer = await fixture.send("GET", path);
		const card = answer.body as A2aAgentCard;
		expect(answer.headers.get("cache-control")).toMatch(/^private/);
		expect(card).toMatchObject({
			name: "Desk",
			description: "Answers at the desk.",
			version: "1",
			capabilities: { streaming: true, pushNotifications: true },
		});
		expect(card.supportedInterfaces.map(({ url }) => url)).toEqual([
			`${fixture.url()}/a2a/desk`,
			`${fixture.url()}/a2a/desk`,
		]);
		expect(JSON.stringify(card.securitySchemes)).toContain(`${fixture.url()}/oauth/token`);
		const etag = answer.headers.get("etag") ?? "";
		expect((await fixture.send("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
		const proxied = await fixture.send("GET", path, { headers: { "x-forwarded-proto": "https" } });
		expect((proxied.body as A2aAgentCard).supportedInterfaces[0]?.url).toMatch(/^https:\/\/127/);
	});

	it.each([
		["GET", "/a2a/desk/.well-known/agent-card.json"],
		["POST", "/a2a/desk"],
		["POST", "/a2a/desk/message:send"],
		["GET", "/a2a/desk/tasks"],
	])("needs a credential, as all of the agent does: %s %s", async (method, path) => {
		const answer = await fixture.send(method, path, { token: null, headers: VERSION });
		expectApiError(answer, 401, "missing_credentials");
		expect(answer.headers.get("www-authenticate")).toMatch(
			/^Bearer scope="agents:run", resource_metadata="http.*\/\.well-known\/oauth-protected-resource\/a2a\/desk"$/,
		);
		expectApiError(
			await fixture.send(method, path.replace("desk", "nobody"), { headers: VERSION }),
			404,
			"agent_not_found",
		);
	});
});

describe("a task", () => {
	it("is a run: sent, asked for, listed, and found among the runs", async () => {
		fixture.vendor.enqueue(reply("At nine."));
		const message = toMessage("When do you open?", { contextId: "conversation-1" });
		const task = await sendMessage(fixture, message, { configuration: {} });
		expect(task).toMatchObject({
			contextId: "conversation-1",
			status: { state: "TASK_STATE_COMPLETED" },
			artifacts: [{ parts: [{ text: "At nine." }] }],
			history: [{ messageId: message.messageId, parts: [{ text: "When do you open?" }] }],
		});
		expect((await call<A2aTask>(fixture, "GetTask", { id: task.id })).result).toEqual(task);
		const { result: page } = await call<A2aTaskList>(fixture, "ListTasks", { contextId: "conversation-1" });
		expect(page).toMatchObject({ totalSize: 1, nextPageToken: "", tasks: [{ id: task.id }] });
		expect((await fixture.send("GET", `/v1/runs/${task.id}`)).body).toMatchObject({
			status: "completed",
			result: { output: "At nine." },
		});
	});

	it("streams, by both bindings, and ends with its run", async () => {
		fixture.vendor.enqueue(reply("One two three four."), reply("One two three four."));
		const params = { message: toMessage() };
		const byRpc = await collect(await openStream(fixture, "SendStreamingMessage", params));
		expect(byRpc[0]).toHaveProperty("task");
		expect(
			byRpc
				.map(toState)
				.filter((state) => state !== undefined)
				.at(-1),
		).toBe("TASK_STATE_COMPLETED");
		const text = byRpc.flatMap((notification) =>
			"artifactUpdate" in notification ? notification.artifactUpdate.artifact.parts : [],
		);
		expect(text.map((part) => part.text).join("")).toBe("One two three four.");
		const rest = await fixture.send("POST", "/a2a/desk/message:stream", {
			json: { message: toMessage() },
			headers: VERSION,
		});
		expect(rest.headers.get("content-type")).toBe("text/event-stream");
		expect(rest.text).toContain("TASK_STATE_COMPLETED");
	});

	it("is there after a restart, also to subscribe to, and one that was under way has ended", async () => {
		fixture.vendor.enqueue(reply("Still here."), silence);
		const done = await sendMessage(fixture, toMessage(), { configuration: {} });
		const interrupted = await sendMessage(fixture, toMessage());
		await fixture.restart();
		expect((await call<A2aTask>(fixture, "GetTask", { id: done.id })).result).toEqual(done);
		const { result } = await call<A2aTask>(fixture, "GetTask", { id: interrupted.id });
		expect(result.status.state).toMatch(/CANCELED|FAILED/);
		expect((await call(fixture, "SubscribeToTask", { id: done.id })).error?.code).toBe(-32004);
		fixture.vendor.enqueue({ ...reply("a b c d e f"), pauseMs: 30 });
		const running = await sendMessage(fixture, toMessage());
		const seen = await collect(await openStream(fixture, "SubscribeToTask", { id: running.id }));
		expect(seen.map(toState).at(-1)).toBe("TASK_STATE_COMPLETED");
	});

	it("goes on when its caller leaves, and is cancelled when asked to", async () => {
		fixture.vendor.enqueue(silence);
		const leave = new AbortController();
		const stream = await openStream(
			fixture,
			"SendStreamingMessage",
			{ message: toMessage() },
			{ signal: leave.signal },
		);
		const first = await readStream(stream).next();
		const id = "task" in first.value ? first.value.task.id : "";
		leave.abort();
		await waitForState(fixture, id, "TASK_STATE_WORKING");
		const { result } = await call<A2aTask>(fixture, "CancelTask", { id });
		expect(result.status.state).toBe("TASK_STATE_CANCELED");
		expect((await fixture.send("GET", `/v1/runs/${id}`)).body).toMatchObject({ status: "cancelled" });
	});

	it("ends its streams when the service stops, and is there afterwards", async () => {
		fixture.vendor.enqueue(silence);
		const stream = await openStream(fixture, "SendStreamingMessage", { message: toMessage() });
		const reading = collect(stream);
		await expect.poll(() => fixture.vendor.requests.at(-1)?.isAnswered).toBe(false);
		await fixture.restart();
		const seen = await reading;
		expect(seen.map(toState).at(-1)).toBe("TASK_STATE_CANCELED");
		const id = seen[0] !== undefined && "task" in seen[0] ? seen[0].task.id : "";
		await waitForState(fixture, id, "TASK_STATE_CANCELED");
	});

	it("of the same message of the same caller is the same, also when it is sent twice at once", async () => {
		const message = toMessage("Once.");
		const send = () => sendMessage(fixture, message);
		const ids = (await Promise.all([send(), send(), send()])).map(({ id }) => id);
		await fixture.restart();
		ids.push((await send()).id);
		expect(new Set(ids).size).toBe(1);
		const { result } = await call<A2aTaskList>(fixture, "ListTasks", { pageSize: 100, historyLength: 1 });
		const same = result.tasks.filter(({ history }) => history?.[0]?.messageId === message.messageId);
		expect(same).toHaveLength(1);
	});

	it("is listed by pages, states and times", async () => {
		const contextId = "pages";
		const ids: string[] = [];
		for (let number = 0; number < 5; number++)
			ids.unshift((await sendMessage(fixture, toMessage("?", { contextId }), { configuration: {} })).id);
		const list = async (more: object): Promise<A2aTaskList> =>
			(await call<A2aTaskList>(fixture, "ListTasks", { contextId, ...more })).result;
		const first = await list({ pageSize: 3 });
		const second = await list({ pageSize: 3, pageToken: first.nextPageToken });
		expect([...first.tasks, ...second.tasks].map(({ id }) => id)).toEqual(ids);
		expect([first.totalSize, second.totalSize, second.nextPageToken]).toEqual([5, 5, ""]);
		expect((await list({ status: "TASK_STATE_COMPLETED" })).totalSize).toBe(5);
		expect((await list({ status: "TASK_STATE_WORKING" })).totalSize).toBe(0);
		expect((await list({ status: "TASK_STATE_AUTH_REQUIRED" })).totalSize).toBe(0);
		const later = new Date(Date.now() + 60_000).toISOString();
		expect((await list({ statusTimestampAfter: later })).totalSize).toBe(0);
		const bad = await call(fixture, "ListTasks", { pageToken: "' OR 1=1" });
		expect(bad.error?.code).toBe(-32602);
	});

	it("is listed by the time of its status, the last first, and found by it", async () => {
		const contextId = "by status";
		const more = { configuration: {} };
		fixture.vendor.enqueue(silence);
		const slow = await sendMessage(fixture, toMessage("slow", { contextId }));
		await waitForState(fixture, slow.id, "TASK_STATE_WORKING");
		const quick = await sendMessage(fixture, toMessage("quick", { contextId }), more);
		const list = async (query: object = {}) =>
			(await call<A2aTaskList>(fixture, "ListTasks", { contextId, ...query })).result.tasks;
		const ids = async (query?: object) => (await list(query)).map(({ id }) => id);
		expect(await ids()).toEqual([quick.id, slow.id]);
		await call(fixture, "CancelTask", { id: slow.id });
		const [first, second] = await list();
		expect([first?.id, second?.id]).toEqual([slow.id, quick.id]);
		expect(await ids({ statusTimestampAfter: first?.status.timestamp })).toEqual([slow.id]);
	});

	it("belongs to the agent that it was sent to", async () => {
		const graph = { nodes: [{ id: "other", kind: "coordinator" }] };
		await fixture.send("POST", "/v1/agents", { json: { graph, slug: "other" } });
		const message = toMessage();
		const task = await sendMessage(fixture, message);
		const elsewhere = { agent: "other" };
		expect((await call(fixture, "GetTask", { id: task.id }, elsewhere)).error?.code).toBe(-32001);
		expect((await call(fixture, "CancelTask", { id: task.id }, elsewhere)).error?.code).toBe(-32001);
		expect((await sendMessage(fixture, message, elsewhere)).id).not.toBe(task.id);
		await waitForState(fixture, task.id, "TASK_STATE_COMPLETED");
	});

	it("is not made of a run that came in otherwise", async () => {
		const run = await fixture.send("POST", "/v1/agents/desk/run", { json: { input: "?" } });
		const { run_id: id } = run.body as { readonly run_id: string };
		expect((await call(fixture, "GetTask", { id })).error?.code).toBe(-32001);
	});
});

it("JSON-RPC answers at the address with a slash behind it, too", async () => {
	const json = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message: toMessage() } };
	const { status, body } = await fixture.send("POST", "/a2a/desk/", { json, headers: VERSION });
	expect([status, body]).toMatchObject([200, { result: { task: { id: expect.stringMatching(/^run_/) } } }]);
	const page = await fixture.send("OPTIONS", "/a2a/desk/", {
		token: null,
		headers: { origin: "https://app.example", "access-control-request-method": "POST" },
	});
	expect([page.status, page.headers.get("access-control-allow-methods")]).toEqual([204, "POST"]);
});

it("the card names the public address, where one is set", async () => {
	await fixture.restart({ listen: { port: 0, public_url: "https://stemma.example" } });
	const { text } = await fixture.send("GET", "/a2a/desk/.well-known/agent-card.json");
	expect(text).toContain('"https://stemma.example/a2a/desk"');
	expect(text).not.toContain("127.0.0.1");
	await fixture.restart();
});

describe("limits", () => {
	it("say their status and when to come again, in the protocol's own errors", async () => {
		await fixture.restart({ limits: { concurrent_runs: 1 } });
		fixture.vendor.enqueue(silence);
		const { id } = await sendMessage(fixture, toMessage());
		const refused = await call(fixture, "SendMessage", { message: toMessage() });
		expect(refused).toMatchObject({
			status: 429,
			error: { code: -32603, data: [{ metadata: { code: "too_many_runs" } }] },
		});
		expect(refused.headers.get("retry-after")).toBe("1");
		await call(fixture, "CancelTask", { id });
		await fixture.restart();
	});

	it.each([
		["nested too deep for a run", "deep", -32602, /^"input\[0\]\[0\].*…/],
		["no Unicode text", "\ud800", -32600, /^"params\.message\.parts\[0\]\.data\[0\].*…/],
	])("of data are told in few words, by the protocol alone: %s", async (_, text, code, words) => {
		let data: unknown = text;
		for (let depth = 0; depth < 150; depth += 1) data = [data];
		const message = { ...toMessage(), parts: [{ data }] };
		const { status, error } = await call(fixture, "SendMessage", { message } as object);
		expect([status, error?.code]).toEqual([200, code]);
		expect(error?.message).toMatch(words);
		expect(error?.message.length).toBeLessThan(300);
	});

	it("end a circle of agents", async () => {
		const headers = { "stemma-depth": "9" };
		const looped = await call(fixture, "SendMessage", { message: toMessage() }, { headers });
		expectApiError(looped, 400, "agent_loop");
	});
});
