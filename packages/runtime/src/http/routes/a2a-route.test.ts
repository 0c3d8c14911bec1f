import type { WireRunEvent } from "@stemma/client";
import type { A2aStreamResponse } from "@stemma/client/a2a";
import { completed, finalText, started } from "@stemma/simulators/run-events";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type StartRuntimeOptions, startRuntime } from "../../index";
import { a2aAgent, RETURN_IMMEDIATELY, toMessage } from "../../test-support/a2a-calls";
import {
	createGate,
	createTestRuntime,
	graph,
	scriptedPorts,
	scriptedRemote,
} from "../../test-support/scripted";

const closings: (() => Promise<void>)[] = [];

afterEach(async () => {
	vi.useRealTimers();
	for (const close of closings.splice(0)) await close();
});

/** A runtime on a real port. */
async function start(options: Partial<StartRuntimeOptions> = {}) {
	const lines: string[] = [];
	const runtime = await startRuntime({
		agents: { desk: graph },
		ports: scriptedPorts(),
		log: (line) => lines.push(line),
		port: 0,
		...options,
	});
	closings.push(() => runtime.close(0));
	return { ...runtime, lines, agent: (id = "desk") => a2aAgent(`${runtime.url}/a2a/${id}`) };
}

/** A runtime whose model waits until it may speak. */
async function startSlow() {
	const gate = createGate();
	const runtime = await start({
		ports: scriptedPorts((input) => gate.opened.then(() => `You said ${input}.`)),
	});
	return { ...runtime, gate };
}

const collect = async (stream: AsyncIterable<A2aStreamResponse>): Promise<A2aStreamResponse[]> => {
	const all: A2aStreamResponse[] = [];
	for await (const response of stream) all.push(response);
	return all;
};

describe("an agent by A2A", () => {
	it("answers, and keeps the task", async () => {
		const agent = (await start()).agent();
		const { result } = await agent.call("SendMessage", toMessage("hi", { contextId: "mine" }));
		expect(result.task).toMatchObject({
			id: expect.stringMatching(/^run_/),
			contextId: "mine",
			status: { state: "TASK_STATE_COMPLETED" },
			artifacts: [{ artifactId: "answer", parts: [{ text: "You said hi." }] }],
			metadata: { receipt: [{ node: "desk", payer: "none" }] },
		});
		expect((await agent.call("GetTask", { id: result.task.id })).result).toEqual(result.task);
		expect(await (await agent.get(`/tasks/${result.task.id}`)).json()).toEqual(result.task);
	});

	it("takes JSON, as the run's input", async () => {
		const agent = (await start()).agent();
		const { result } = await agent.call("SendMessage", toMessage("", { parts: [{ data: { a: 1 } }] }));
		expect(result.task.artifacts[0].parts).toEqual([{ text: 'You said {"a":1}.' }]);
	});

	it("streams as it speaks; whoever leaves does not stop it", async () => {
		const { agent, gate } = await startSlow();
		const stream = agent().open("SendStreamingMessage", toMessage("hi"));
		const { value: first } = await stream.next();
		const id = first !== undefined && "task" in first ? first.task.id : "";
		await stream.return(undefined);
		const subscribed = agent().open("SubscribeToTask", { id });
		expect((await subscribed.next()).value).toMatchObject({
			task: { id, status: { state: "TASK_STATE_WORKING" } },
		});
		gate.open();
		const updates = await collect(subscribed);
		expect(
			updates.map((update) => ("artifactUpdate" in update ? update.artifactUpdate : update)),
		).toMatchObject([
			{ artifact: { parts: [{ text: "You " }] }, append: false },
			{ artifact: { parts: [{ text: "said " }] }, append: true },
			{ artifact: { parts: [{ text: "hi." }] }, append: true },
			{ append: true, lastChunk: true },
			{ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } },
		]);
		expect((await agent().call("SubscribeToTask", { id })).error.code).toBe(-32004);
	});

	it("stops when its task is cancelled", async () => {
		const agent = (await startSlow()).agent();
		const { task } = (await agent.call("SendMessage", toMessage("hi", RETURN_IMMEDIATELY))).result;
		expect((await agent.call("CancelTask", { id: task.id })).result.status.state).toBe("TASK_STATE_CANCELED");
		expect((await agent.call("GetTask", { id: task.id })).result.status.state).toBe("TASK_STATE_CANCELED");
	});

	it("runs a message once, also when it comes twice at the same moment", async () => {
		const say = vi.fn((input: string) => `You said ${input}.`);
		const { post } = await createTestRuntime({ ports: scriptedPorts(say) });
		const message = toMessage("hi");
		const send = async () => {
			const headers = { "a2a-version": "1.0" };
			return (await post("/a2a/desk/message:send", message, headers)).json();
		};
		const [first, second] = await Promise.all([send(), send()]);
		expect(first.task.status.state).toBe("TASK_STATE_COMPLETED");
		expect(second).toEqual(first);
		expect(say).toHaveBeenCalledOnce();
	});

	it("lists its own tasks, newest first", async () => {
		const { agent } = await start({ agents: { desk: graph, other: graph } });
		for (const text of ["a", "b", "c"])
			await agent().call("SendMessage", toMessage(text, { contextId: `ctx ${text}` }));
		const { result: first } = await agent().call("ListTasks", { pageSize: 2, includeArtifacts: true });
		expect(first.tasks.map(({ contextId }: { contextId: string }) => contextId)).toEqual(["ctx c", "ctx b"]);
		expect(first).toMatchObject({
			totalSize: 3,
			tasks: [{ artifacts: [{ parts: [{ text: "You said c." }] }] }, {}],
		});
		const { result: second } = await agent().call("ListTasks", {
			pageSize: 2,
			pageToken: first.nextPageToken,
		});
		expect(second).toMatchObject({ tasks: [{ contextId: "ctx a" }], nextPageToken: "" });
		expect((await agent().call("ListTasks", { status: "TASK_STATE_WORKING" })).result.totalSize).toBe(0);
		expect((await agent().call("ListTasks", { contextId: "ctx b" })).result.totalSize).toBe(1);
		const statusTimestampAfter = new Date(Date.now() + 60_000).toISOString();
		expect((await agent().call("ListTasks", { statusTimestampAfter })).result.totalSize).toBe(0);
		expect((await agent().call("ListTasks", { pageToken: "none" })).error.code).toBe(-32602);
		expect((await agent("other").call("ListTasks", {})).result.totalSize).toBe(0);
		expect((await agent("other").call("GetTask", { id: first.tasks[0].id })).error.code).toBe(-32001);
	});

	it("goes on with the conversation of a context, as the agent's own", async () => {
		const inputs: unknown[] = [];
		const remote = scriptedRemote(async function* ([, { input }]) {
			inputs.push(input);
			const id = `run_${inputs.length}`;
			yield started(id);
			if (input === "fail") {
				yield finalText(id, 2, "Half");
				throw new Error("no voice");
			}
			yield completed(id, 2, `Answer ${inputs.length}`);
		});
		const manifest = { remoteAgentId: "ag_1" };
		const { agent } = await start({ agents: { desk: manifest, other: manifest }, remote });
		const send = async (text: string, id = "desk"): Promise<void> => {
			await agent(id).call("SendMessage", toMessage(text, { contextId: "c" }));
		};
		for (const text of ["fail", "one", "two"]) await send(text);
		await send("three", "other");
		const conversation = {
			messages: [
				{ role: "user", content: "one" },
				{ role: "assistant", content: "Answer 2" },
				{ role: "user", content: "two" },
			],
		};
		expect(inputs).toEqual(["fail", "one", conversation, "three"]);
		await agent().call("SendMessage", toMessage("four", { contextId: "another" }));
		expect(inputs.at(-1)).toBe("four");
	});

	it("tells of a run that failed", async () => {
		const ports = scriptedPorts(() => {
			throw new Error("no voice");
		});
		const { result } = await (await start({ ports })).agent().call("SendMessage", toMessage("hi"));
		expect(result.task.status).toMatchObject({
			state: "TASK_STATE_FAILED",
			message: { parts: [{ text: "no voice" }, { data: { message: "no voice" } }] },
		});
	});

	it("pushes nothing, and says so", async () => {
		const agent = (await start()).agent();
		const taskPushNotificationConfig = { url: "https://a.example" };
		const { error } = await agent.call(
			"SendMessage",
			toMessage("hi", { configuration: { taskPushNotificationConfig } }),
		);
		expect(error.code).toBe(-32003);
	});

	it("keeps the text of a long run that is under way", async () => {
		const text = "word ".repeat(20_000);
		const gate = createGate();
		const remote = scriptedRemote(async function* () {
			yield started("run_9");
			const words = { node: "desk", invocation: 1, run_id: "run_9", at: "2026-01-02T03:04:05.678Z" };
			for (let seq = 2; seq < 47; seq++)
				yield { ...words, type: "text.delta", seq, text, final: true } as WireRunEvent;
			await gate.opened;
		});
		const agent = (await start({ agents: { desk: { remoteAgentId: "ag_1" } }, remote })).agent();
		await agent.call("SendMessage", toMessage("hi", RETURN_IMMEDIATELY));
		const read = async () => (await agent.call("GetTask", { id: "run_9" })).result;
		await expect.poll(async () => (await read()).artifacts?.[0].parts[0].text.length).toBe(45 * text.length);
		expect((await read()).status.state).toBe("TASK_STATE_WORKING");
		gate.open();
	});

	it("tells who reads a long run too slowly what to do, and nobody else", async () => {
		const gate = createGate();
		const remote = scriptedRemote(async function* () {
			yield started("run_9");
			await gate.opened;
			const words = { node: "desk", invocation: 1, run_id: "run_9", at: "2026-01-02T03:04:05.678Z" };
			const text = "word ".repeat(20_000);
			for (let seq = 2; seq < 47; seq++)
				yield { ...words, type: "text.delta", seq, text, final: true } as WireRunEvent;
		});
		const agents = { desk: { remoteAgentId: "ag_1" } };
		const { post, lines } = await createTestRuntime({ agents, remote });
		const json = { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: toMessage("hi") };
		const stream = (await post("/a2a/desk", json, { "a2a-version": "1.0" })).body?.getReader();
		await stream?.read();
		gate.open();
		const get = { jsonrpc: "2.0", id: 2, method: "GetTask", params: { id: "run_9" } };
		const readText = async () =>
			(await (await post("/a2a/desk", get, { "a2a-version": "1.0" })).json()).result.artifacts?.[0].parts[0]
				.text;
		await expect.poll(async () => (await readText())?.length).toBeGreaterThan(4_000_000);
		let chunk = "";
		for (let next = await stream?.read(); next?.done === false; next = await stream?.read())
			chunk = new TextDecoder().decode(next.value);
		expect(chunk).toMatch(/^event: error\n.*"events_expired"/);
		expect(chunk).toContain("Read it with GetTask");
		expect(lines.filter((line) => line.includes("A2A"))).toEqual([]);
	});
});

describe("a manifest by A2A", () => {
	const paused: WireRunEvent = {
		type: "run.paused",
		run_id: "run_9",
		seq: 2,
		at: "2026-01-02T03:04:06.000Z",
		result: {
			run_id: "run_9",
			status: "paused",
			output: null,
			citations: [],
			usage: { input_tokens: 0, output_tokens: 0, model_calls: 0, steps: 1 },
			receipt: [],
			approvals: [
				{
					id: "ap_1",
					node: "refund",
					tool: "refund",
					arguments: { order: 7 },
					expires_at: "2026-01-09T00:00:00Z",
				},
			],
		},
	};

	it("waits where the service waits for an approval, one hop deeper", async () => {
		const remote = scriptedRemote(async function* () {
			yield started("run_9");
			yield paused;
		});
		const { url } = await start({ agents: { refunds: { remoteAgentId: "ag_1" } }, remote });
		const agent = a2aAgent(`${url}/a2a/ag_1`, { "stemma-depth": "2" });
		const { task } = (await agent.call("SendMessage", toMessage("Refund 7"))).result;
		expect(task).toMatchObject({
			id: "run_9",
			status: {
				state: "TASK_STATE_AUTH_REQUIRED",
				message: { parts: [{}, { data: { run_id: "run_9", approvals: [{ id: "ap_1" }] } }] },
			},
		});
		expect(remote.calls).toMatchObject([["ag_1", { input: "Refund 7" }, { depth: 3 }]]);
		expect((await agent.call("ListTasks", { status: "TASK_STATE_AUTH_REQUIRED" })).result.totalSize).toBe(1);
		const cancelled = (await agent.call("CancelTask", { id: "run_9" })).result;
		expect(cancelled.status.state).toBe("TASK_STATE_CANCELED");
	});

	it("tells why nothing was started, and takes the same message again", async () => {
		let isDown = true;
		const remote = scriptedRemote(async function* () {
			if (isDown) throw new Error("secret: s3cret");
			yield started("run_9");
			yield paused;
		});
		const { agent, lines } = await start({ agents: { desk: { remoteAgentId: "ag_1" } }, remote });
		const message = toMessage("hi");
		const { error } = await agent().call("SendMessage", message);
		expect(error).toMatchObject({ code: -32603, message: expect.not.stringContaining("s3cret") });
		expect(lines.filter((line) => line.includes("A2A"))).toHaveLength(1);
		isDown = false;
		expect((await agent().call("SendMessage", message)).result.task.id).toBe("run_9");
	});
});

describe("a card", () => {
	const PATH = "/.well-known/agent-card.json";

	it("says what an agent file says, at the address that was called", async () => {
		const { agent, url } = await start();
		const response = await agent().get(PATH);
		const card = await response.json();
		expect(card).toMatchObject({
			name: "desk",
			description: "Says it again",
			supportedInterfaces: [
				{ url: `${url}/a2a/desk`, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
				{ url: `${url}/a2a/desk`, protocolBinding: "HTTP+JSON" },
			],
			capabilities: { streaming: true, pushNotifications: false },
		});
		expect(card).not.toHaveProperty("securitySchemes");
		const again = await agent().get(PATH, { "if-none-match": response.headers.get("etag") ?? "" });
		expect(again.status).toBe(304);
	});

	it("says that a token is needed, behind a proxy with https", async () => {
		const runtime = await createTestRuntime({ token: "t0ken" });
		const read = (headers: Readonly<Record<string, string>>): Promise<Response> =>
			runtime.fetch(new Request(`http://agents.example/a2a/desk${PATH}`, { headers }));
		expect((await read({})).status).toBe(401);
		const card = await (await read({ authorization: "Bearer t0ken", "x-forwarded-proto": "https" })).json();
		expect(card).toMatchObject({
			supportedInterfaces: [{ url: "https://agents.example/a2a/desk" }, {}],
			securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
		});
		expect(JSON.stringify(card)).not.toContain("t0ken");
	});
});

describe("what holds for all routes", () => {
	const sendBody = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: toMessage("hi") });

	it.each<[string, string, Readonly<Record<string, string>>, number, string]>([
		["an unknown agent", "/a2a/none", {}, 404, "agent_not_found"],
		["an invalid one", "/a2a/bad", {}, 422, "agent_invalid"],
		["a loop", "/a2a/desk", { "stemma-depth": "9" }, 400, "agent_loop"],
		["another site", "/a2a/desk", { "sec-fetch-site": "cross-site" }, 403, "origin_not_allowed"],
		["a form", "/a2a/desk", { "content-type": "text/plain" }, 415, "unsupported_media_type"],
	])("refuses %s", async (_, path, headers, status, code) => {
		const { post } = await createTestRuntime({ agents: { desk: graph, bad: { nodes: [] } } });
		const response = await post(path, sendBody, { "a2a-version": "1.0", ...headers });
		expect(response.status).toBe(status);
		expect(await response.json()).toMatchObject({ error: { code } });
	});

	it("answers JSON-RPC at the address with a slash behind it, too", async () => {
		const { post } = await createTestRuntime();
		const response = await post("/a2a/desk/", sendBody, { "a2a-version": "1.0" });
		expect(response.status).toBe(200);
		expect(await response.json()).toMatchObject({
			result: { task: { status: { state: "TASK_STATE_COMPLETED" } } },
		});
	});

	it("takes the protocol's own media type", async () => {
		const { post } = await createTestRuntime();
		const headers = { "a2a-version": "1.0", "content-type": "application/a2a+json" };
		const response = await post("/a2a/desk/message:send", toMessage("hi"), headers);
		expect([response.status, response.headers.get("x-request-id")]).toEqual([
			200,
			expect.stringMatching(/^req_/),
		]);
	});

	it("starts nothing while it closes", async () => {
		const { post, close } = await createTestRuntime();
		await close(0);
		const response = await post("/a2a/desk", sendBody, { "a2a-version": "1.0" });
		expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
		expect(await response.json()).toMatchObject({
			id: 1,
			error: { data: [{ metadata: { code: "shutting_down" } }] },
		});
	});

	it("forgets tasks with their runs, and their messages", async () => {
		vi.useFakeTimers();
		const { post } = await createTestRuntime();
		const call = async (method: string, params: object) =>
			(await post("/a2a/desk", { jsonrpc: "2.0", id: 1, method, params }, { "a2a-version": "1.0" })).json();
		const message = toMessage("hi");
		const { task } = (await call("SendMessage", message)).result;
		await vi.advanceTimersByTimeAsync(599_000);
		expect((await call("SendMessage", message)).result.task.id).toBe(task.id);
		await vi.advanceTimersByTimeAsync(2_000);
		expect((await call("GetTask", { id: task.id })).error.code).toBe(-32001);
		expect((await call("SendMessage", message)).result.task.id).not.toBe(task.id);
	});

	it("cancels a task that nobody has asked for in 10 minutes", async () => {
		vi.useFakeTimers();
		const gate = createGate();
		const ports = scriptedPorts(() => gate.opened.then(() => "late"));
		const longRunning = { ...graph, limits: { timeoutMs: 86_400_000 } };
		const { post } = await createTestRuntime({ agents: { desk: longRunning }, ports });
		const call = async (method: string, params: object) =>
			(await post("/a2a/desk", { jsonrpc: "2.0", id: 1, method, params }, { "a2a-version": "1.0" })).json();
		const { id } = (await call("SendMessage", toMessage("hi", RETURN_IMMEDIATELY))).result.task;
		for (const _ of [1, 2]) {
			await vi.advanceTimersByTimeAsync(599_000);
			expect((await call("GetTask", { id })).result.status.state).toBe("TASK_STATE_WORKING");
		}
		await vi.advanceTimersByTimeAsync(601_000);
		expect((await call("GetTask", { id })).result.status.state).toBe("TASK_STATE_CANCELED");
	});
});
