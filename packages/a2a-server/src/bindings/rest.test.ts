import { describe, expect, it } from "vitest";
import { started } from "../test-support/run-events";
import { createMessage, createTestAgent, readStream, type TestAgent } from "../test-support/test-agent";

const post = (agent: TestAgent, path: string, body?: object): Promise<Response> =>
	agent.send(path, {
		method: "POST",
		headers: { "content-type": "application/a2a+json" },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});

const wait = { configuration: { returnImmediately: true } };

describe("paths", () => {
	it("send and get", async () => {
		const agent = createTestAgent();
		const sent = await post(agent, "/message:send", { message: createMessage("?") });
		expect(sent.headers.get("content-type")).toBe("application/a2a+json");
		const { task } = await sent.json();
		expect(task).toMatchObject({ id: "run_1", status: { state: "TASK_STATE_COMPLETED" } });
		expect(await (await agent.send("/tasks/run_1")).json()).toEqual(task);
		expect(await (await agent.send("/tasks/run_1?historyLength=0")).json()).not.toHaveProperty("history");
		const list = await agent.send("/tasks?pageSize=1&includeArtifacts=true&status=TASK_STATE_COMPLETED");
		expect(await list.json()).toEqual({ tasks: [task], nextPageToken: "", pageSize: 1, totalSize: 1 });
	});

	it.each(["POST", "GET"])("stream, and subscribe by %s", async (method) => {
		const agent = createTestAgent();
		const streamed = await post(agent, "/message:stream", { message: createMessage("?") });
		expect(streamed.headers.get("content-type")).toBe("text/event-stream");
		const updates = await readStream(streamed);
		expect(updates[0]).toMatchObject({ task: { id: "run_1" } });
		expect(updates.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
		const open = createTestAgent({ script: [started] });
		await post(open, "/message:send", { message: createMessage("?"), ...wait });
		const subscribed = await open.send("/tasks/run_1:subscribe", { method });
		await open.store.cancel("run_1");
		expect((await readStream(subscribed)).at(-1)).toMatchObject({
			statusUpdate: { status: { state: "TASK_STATE_CANCELED" } },
		});
	});

	it("cancel", async () => {
		const agent = createTestAgent({ script: [started] });
		await post(agent, "/message:send", { message: createMessage("?"), ...wait });
		expect(await (await post(agent, "/tasks/run_1:cancel")).json()).toMatchObject({
			status: { state: "TASK_STATE_CANCELED" },
		});
	});

	it("keep push configurations; the path counts more than the body", async () => {
		const agent = createTestAgent({ push: true });
		await post(agent, "/message:send", { message: createMessage("?") });
		const configs = "/tasks/run_1/pushNotificationConfigs";
		const created = await post(agent, configs, { id: "a/b", taskId: "run_2", url: "https://a.example/hook" });
		expect(created.status).toBe(201);
		const config = await created.json();
		expect(config).toMatchObject({ id: "a/b", taskId: "run_1" });
		expect(await (await agent.send(configs)).json()).toMatchObject({ configs: [config] });
		expect(await (await agent.send(`${configs}/a%2Fb`)).json()).toEqual(config);
		expect((await agent.send(`${configs}/a%2Fb`, { method: "DELETE" })).status).toBe(204);
		expect((await agent.send(`${configs}/a%2Fb`)).status).toBe(404);
	});
});

describe("errors", () => {
	it("are a google.rpc.Status", async () => {
		const response = await createTestAgent().send("/tasks/run_9");
		expect(response.status).toBe(404);
		expect(await response.json()).toEqual({
			error: {
				code: 404,
				status: "NOT_FOUND",
				message: expect.stringContaining('"run_9"'),
				details: [
					{
						"@type": "type.googleapis.com/google.rpc.ErrorInfo",
						reason: "TASK_NOT_FOUND",
						domain: "a2a-protocol.org",
						metadata: { code: "task_not_found" },
					},
				],
			},
		});
	});

	it.each<[string, string, RequestInit, number, string]>([
		["a path that is none", "/message", {}, 404, "NOT_FOUND"],
		["a path with more in it", "/tasks/run_1/more", {}, 404, "NOT_FOUND"],
		["another verb", "/tasks/run_1", { method: "DELETE" }, 405, "UNIMPLEMENTED"],
		["a cancel by GET", "/tasks/run_1:cancel", {}, 405, "UNIMPLEMENTED"],
		["a path that is not encoded", "/tasks/%E0", {}, 400, "INVALID_ARGUMENT"],
		["no version", "/tasks", { headers: { "a2a-version": "" } }, 400, "FAILED_PRECONDITION"],
		["a number that is none", "/tasks?pageSize=ten", {}, 400, "INVALID_ARGUMENT"],
		["an extended card", "/extendedAgentCard", {}, 400, "FAILED_PRECONDITION"],
		["no push", "/tasks/run_1/pushNotificationConfigs", {}, 400, "FAILED_PRECONDITION"],
		[
			"another type",
			"/message:send",
			{ method: "POST", body: "{}", headers: { "content-type": "text/plain" } },
			400,
			"INVALID_ARGUMENT",
		],
		[
			"no object",
			"/message:send",
			{ method: "POST", body: "[]", headers: { "content-type": "application/json" } },
			400,
			"INVALID_ARGUMENT",
		],
	])("refuses %s", async (_, path, init, code, status) => {
		const response = await createTestAgent().send(path, init);
		expect(response.status).toBe(code);
		expect(response.headers.get("content-type")).toBe("application/a2a+json");
		expect(await response.json()).toMatchObject({ error: { code, status } });
	});

	it("say which verbs a path takes", async () => {
		const response = await createTestAgent().send("/tasks/run_1:subscribe", { method: "DELETE" });
		expect(response.headers.get("allow")).toBe("POST, GET");
	});
});
