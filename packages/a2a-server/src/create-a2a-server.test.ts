import type { A2aTask } from "@stemma/client/a2a";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addUpdates } from "./test-support/add-updates";
import {
	cancelled,
	completed,
	paused,
	reasoningDelta,
	reset,
	resumed,
	started,
	textDelta,
} from "./test-support/run-events";
import { createMessage, createTestAgent, followStream, readSse, readStream } from "./test-support/test-agent";

const errorInfo = (reason: string): object => ({
	"@type": "type.googleapis.com/google.rpc.ErrorInfo",
	reason,
	domain: "a2a-protocol.org",
});

describe("SendMessage", () => {
	it("answers with the task once it has ended", async () => {
		const { call, store } = createTestAgent();
		const message = createMessage("How long?", { contextId: "my context", metadata: { a: 1 } });
		const { result } = await call("SendMessage", { message });
		expect(result.task).toEqual({
			id: "run_1",
			contextId: "my context",
			status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-01-02T03:04:04.000Z" },
			artifacts: [{ artifactId: "answer", parts: [{ text: "Five days." }] }],
			history: [{ ...message, taskId: "run_1" }],
			metadata: { run_id: "run_1", usage: { input_tokens: 1, output_tokens: 2, model_calls: 1, steps: 2 } },
		});
		expect(store.starts[0]?.input).toBe("How long?");
	});

	it("waits until then, makes a context, and heeds a history of none", async () => {
		const { call, store } = createTestAgent({ script: [] });
		const answer = call("SendMessage", { message: createMessage("?"), configuration: { historyLength: 0 } });
		let isAnswered = false;
		void answer.then(() => {
			isAnswered = true;
		});
		await expect.poll(() => store.watchers).toBe(1);
		store.emit("run_1", started, textDelta("Five"));
		await new Promise((resolve) => setTimeout(resolve, 20));
		expect(isAnswered).toBe(false);
		store.emit("run_1", completed("Five"));
		const { task } = (await answer).result;
		expect(task).toMatchObject({
			status: { state: "TASK_STATE_COMPLETED" },
			contextId: expect.stringMatching(/^ctx_/),
		});
		expect(task).not.toHaveProperty("history");
		expect(store.watchers).toBe(0);
	});

	it("answers when someone has to approve", async () => {
		const { call } = createTestAgent({ script: [started, paused] });
		const { result } = await call("SendMessage", { message: createMessage("?") });
		expect(result.task.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
	});

	it("answers at once where that is asked", async () => {
		const { call } = createTestAgent({ script: [started, textDelta("Fi")] });
		const { result } = await call("SendMessage", {
			message: createMessage("?"),
			configuration: { returnImmediately: true },
		});
		expect(result.task).toMatchObject({
			status: { state: "TASK_STATE_WORKING" },
			artifacts: [{ parts: [{ text: "Fi" }] }],
		});
	});

	it.each<[string, object, boolean]>([
		["the same data, written in another order", { parts: [{ data: { b: [2], a: 1 } }] }, true],
		["another value", { parts: [{ data: { a: 1, b: [3] } }] }, false],
		["less", { parts: [{ data: { a: 1 } }] }, false],
		["a list for an object", { parts: [{ data: { a: 1, b: { 0: 2 } } }] }, false],
		["another context", { contextId: "another" }, false],
	])(
		"takes no message for one with the same id that says something else: %s",
		async (_, more, isAccepted) => {
			const { call, store } = createTestAgent();
			const message = createMessage("", {
				messageId: "m1",
				contextId: "c",
				parts: [{ data: { a: 1, b: [2] } }],
			});
			const { result } = await call("SendMessage", { message });
			const secondResponse = await call("SendMessage", { message: { ...message, ...more } });
			if (isAccepted) expect(secondResponse.result).toEqual(result);
			else
				expect(secondResponse.error).toMatchObject({
					code: -32602,
					data: [{ metadata: { code: "message_id_reused" } }, {}],
				});
			expect(store.starts).toHaveLength(1);
		},
	);

	it("runs the same message once", async () => {
		const { call, store } = createTestAgent();
		const message = createMessage("?");
		const [first, second] = [await call("SendMessage", { message }), await call("SendMessage", { message })];
		expect(second.result).toEqual(first.result);
		expect(store.starts.length).toBe(1);
	});

	it("does not stop the run when its sender leaves", async () => {
		const { send, store, call } = createTestAgent({ script: [started] });
		const abortController = new AbortController();
		const body = JSON.stringify({
			jsonrpc: "2.0",
			id: 1,
			method: "SendMessage",
			params: { message: createMessage("?") },
		});
		const headers = { "content-type": "application/json" };
		const answer = send("", { method: "POST", headers, body, signal: abortController.signal });
		await expect.poll(() => store.watchers).toBe(1);
		abortController.abort();
		await answer;
		expect(store.watchers).toBe(0);
		expect((await call("GetTask", { id: "run_1" })).result.status.state).toBe("TASK_STATE_WORKING");
	});

	it.each([
		["one under way", [started], {}, -32004, "in progress"],
		["one that has ended", [started, completed("x")], {}, -32004, "has ended"],
		["one of another context", [started], { contextId: "other" }, -32602, "another context"],
		["none", [], { taskId: "run_9" }, -32001, "no task"],
	])("refuses to go on with a task: %s", async (_, script, more, code, text) => {
		const { call, store } = createTestAgent({ script });
		const configuration = { returnImmediately: true };
		await call("SendMessage", { message: createMessage("?"), configuration });
		const { error } = await call("SendMessage", {
			message: createMessage("and?", { taskId: "run_1", ...more }),
		});
		expect(error).toMatchObject({ code, message: expect.stringContaining(text) });
		expect(store.starts.length).toBe(1);
	});

	it.each<[string, object, number, string]>([
		["no message", {}, -32602, "message"],
		["a message that is none", { message: "hi" }, -32602, "message"],
		["no id", { message: createMessage("?", { messageId: "" }) }, -32602, "message.messageId"],
		[
			"a long id",
			{ message: createMessage("?", { messageId: "m".repeat(257) }) },
			-32602,
			"message.messageId",
		],
		["an agent's message", { message: createMessage("?", { role: "ROLE_AGENT" }) }, -32602, "message.role"],
		["no parts", { message: createMessage("?", { parts: [] }) }, -32602, "message.parts"],
		[
			"more parts than are read",
			{ message: createMessage("?", { parts: Array.from({ length: 1001 }, () => ({ text: "x" })) }) },
			-32602,
			"message.parts",
		],
		[
			"an empty part",
			{ message: createMessage("?", { parts: [{ text: null }] }) },
			-32602,
			"message.parts[0]",
		],
		[
			"two in one part",
			{ message: createMessage("?", { parts: [{ text: "a", data: 1 }] }) },
			-32602,
			"message.parts[0]",
		],
		[
			"text that is none",
			{ message: createMessage("?", { parts: [{ text: 1 }] }) },
			-32602,
			"message.parts[0].text",
		],
		[
			"a part of 0.3",
			{ message: createMessage("?", { parts: [{ kind: "file" }] }) },
			-32602,
			"message.parts[0]",
		],
		["a file", { message: createMessage("?", { parts: [{ raw: "AA==" }] }) }, -32005, "message.parts[0]"],
		[
			"metadata that are a list",
			{ message: createMessage("?", { metadata: [] }) },
			-32602,
			"message.metadata",
		],
		[
			"a negative history",
			{ message: createMessage("?"), configuration: { historyLength: -1 } },
			-32602,
			"configuration.historyLength",
		],
		[
			"a flag that is none",
			{ message: createMessage("?"), configuration: { returnImmediately: 1 } },
			-32602,
			"configuration.returnImmediately",
		],
	])("refuses %s", async (_, params, code, field) => {
		const { call, store } = createTestAgent();
		const { error } = await call("SendMessage", params);
		expect(error.code).toBe(code);
		expect(error.data[1]).toEqual({
			"@type": "type.googleapis.com/google.rpc.BadRequest",
			fieldViolations: [{ field, description: expect.any(String) }],
		});
		expect(store.starts).toEqual([]);
	});

	it("demands the extensions that the card requires", async () => {
		const card = {
			extensions: [{ uri: "https://a.example/x", required: true }, { uri: "https://a.example/y" }],
		};
		const { call } = createTestAgent({ card });
		expect((await call("SendMessage", { message: createMessage("?") })).error).toMatchObject({
			code: -32008,
			message: expect.stringContaining("https://a.example/x"),
		});
		const headers = { "a2a-version": "1.0", "a2a-extensions": "https://b.example, https://a.example/x" };
		expect(await call("SendMessage", { message: createMessage("?") }, headers)).toHaveProperty("result.task");
	});
});

describe("streams", () => {
	it("tell the task first, then what happens, and close at the end", async () => {
		const { open, store } = createTestAgent({ script: [] });
		const response = await open("SendStreamingMessage", { message: createMessage("?") });
		expect(Object.fromEntries(response.headers)).toMatchObject({
			"content-type": "text/event-stream",
			"x-accel-buffering": "no",
		});
		const stream = followStream(response);
		expect((await stream.next()).value).toMatchObject({
			task: { status: { state: "TASK_STATE_SUBMITTED" } },
		});
		store.emit("run_1", started, textDelta("Five"));
		expect((await stream.next()).value).toMatchObject({
			statusUpdate: { status: { state: "TASK_STATE_WORKING" } },
		});
		expect((await stream.next()).value).toMatchObject({
			artifactUpdate: { artifact: { parts: [{ text: "Five" }] } },
		});
		store.emit("run_1", completed("Five"));
		const rest = [];
		for await (const response of stream) rest.push(response);
		expect(rest).toMatchObject([
			{ artifactUpdate: { lastChunk: true } },
			{ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } },
		]);
		expect(store.watchers).toBe(0);
	});

	it("stay open while someone has to approve, and go on from there, as new ones do", async () => {
		const { open, store } = createTestAgent({ script: [started, paused] });
		const sent = readStream(await open("SendStreamingMessage", { message: createMessage("?") }));
		const subscribed = readStream(await open("SubscribeToTask", { id: "run_1" }));
		await expect.poll(() => store.watchers).toBe(2);
		store.emit("run_1", reasoningDelta);
		store.emit("run_1", resumed);
		store.emit("run_1", textDelta("Done."), completed("Done."));
		const responses = await subscribed;
		expect(responses[0]).toMatchObject({ task: { status: { state: "TASK_STATE_AUTH_REQUIRED" } } });
		for (const all of [responses, await sent])
			expect(addUpdates(all)).toMatchObject({
				status: { state: "TASK_STATE_COMPLETED" },
				artifacts: [{ parts: [{ text: "Done." }] }],
			});
	});

	it("leave the run alone when their reader leaves, also while it waits", async () => {
		const { open, store, call } = createTestAgent({ script: [started] });
		const response = await open("SendStreamingMessage", { message: createMessage("?") });
		const reader = response.body?.getReader();
		// The task, and that it is under way.
		await reader?.read();
		await reader?.read();
		const pending = reader?.read();
		await expect.poll(() => store.watchers).toBe(1);
		await reader?.cancel();
		expect(await pending).toMatchObject({ done: true });
		await expect.poll(() => store.watchers).toBe(0);
		expect((await call("GetTask", { id: "run_1" })).result.status.state).toBe("TASK_STATE_WORKING");
	});

	it("tell all that a new task does as updates, however much of it is done when its stream begins", async () => {
		const { open } = createTestAgent();
		const events = await readSse(await open("SendStreamingMessage", { message: createMessage("?") }));
		const results = events.map(({ data }) => JSON.parse(data).result);
		expect(results[0]).toMatchObject({ task: { status: { state: "TASK_STATE_SUBMITTED" } } });
		expect(results[0].task).not.toHaveProperty("artifacts");
		expect(results[1]).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_WORKING" } } });
		expect(results.some((result) => "artifactUpdate" in result)).toBe(true);
		expect(results.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
	});

	it("send comments in silence", async () => {
		const { open, store } = createTestAgent({ script: [started], heartbeatMs: 5 });
		const response = await open("SendStreamingMessage", { message: createMessage("?") });
		setTimeout(() => store.emit("run_1", completed("x")), 60);
		const text = await response.text();
		expect(text.match(/^: still here$/gm)?.length).toBeGreaterThan(1);
		expect(text).toContain("TASK_STATE_COMPLETED");
	});

	it("tell when they break off, and nothing of why", async () => {
		const broken = createTestAgent({ script: [] });
		const stream = broken.open("SendStreamingMessage", { message: createMessage("?") });
		const events = readSse(await stream);
		await expect.poll(() => broken.store.watchers).toBe(1);
		broken.store.emit("run_1", textDelta("break"));
		const last = (await events).at(-1);
		expect(last).toMatchObject({ event: "error", data: expect.stringContaining('"code":-32603') });
		expect(last?.data).not.toContain("s3cret");
		expect(broken.mappedErrors).toEqual([new Error("secret: s3cret")]);
	});

	it("are refused for tasks that have ended, or are not there", async () => {
		const { call } = createTestAgent();
		await call("SendMessage", { message: createMessage("?") });
		expect((await call("SubscribeToTask", { id: "run_1" })).error.code).toBe(-32004);
		expect((await call("SubscribeToTask", { id: "run_2" })).error.code).toBe(-32001);
	});

	it("add up to what GetTask tells, whatever comes together", async () => {
		const anyEvent = fc.oneof(
			fc.string({ minLength: 1, maxLength: 3 }).map((text) => textDelta(text === "break" ? "b" : text)),
			fc.constantFrom(reset, reasoningDelta, textDelta("aside", false), paused, resumed),
		);
		const end = fc.oneof(
			fc.string().map((text) => completed(text)),
			fc.constantFrom(completed({ days: 5 }), cancelled(null)),
		);
		await fc.assert(
			fc.asyncProperty(
				fc.array(anyEvent, { maxLength: 12 }),
				end,
				fc.array(fc.nat({ max: 12 }), { maxLength: 4 }),
				fc.nat({ max: 3 }),
				async (middle, last, chunkSizes, prefixLength) => {
					const all = [started, ...middle, last];
					const before = all.slice(0, Math.min(prefixLength, all.length - 1));
					const { open, store, call } = createTestAgent({ script: before });
					const stream = readStream(await open("SendStreamingMessage", { message: createMessage("?") }));
					const splitOffsets = [...chunkSizes, all.length].sort((a, b) => a - b);
					let begin = before.length;
					for (const offset of splitOffsets) {
						if (offset <= begin) continue;
						store.emit("run_1", ...all.slice(begin, offset));
						begin = offset;
						await Promise.resolve();
					}
					const task: A2aTask = (await call("GetTask", { id: "run_1" })).result;
					expect(addUpdates(await stream)).toEqual(task);
				},
			),
			{ numRuns: 200 },
		);
	});
});

describe("CancelTask", () => {
	it("stops the run, and may be tried again", async () => {
		const { call } = createTestAgent({ script: [started, textDelta("Fi")] });
		await call("SendMessage", { message: createMessage("?"), configuration: { returnImmediately: true } });
		for (const _ of [1, 2])
			expect((await call("CancelTask", { id: "run_1" })).result).toMatchObject({
				status: { state: "TASK_STATE_CANCELED" },
				artifacts: [{ parts: [{ text: "Fi" }] }],
			});
	});

	it("is refused for what has ended otherwise", async () => {
		const { call } = createTestAgent();
		await call("SendMessage", { message: createMessage("?") });
		expect((await call("CancelTask", { id: "run_1" })).error).toMatchObject({
			code: -32002,
			data: [errorInfo("TASK_NOT_CANCELABLE")],
		});
		expect((await call("CancelTask", { id: "run_2" })).error.code).toBe(-32001);
		expect((await call("CancelTask", {})).error.code).toBe(-32602);
	});
});

describe("ListTasks", () => {
	it("tells the newest first, page by page, without answers unless they are asked for", async () => {
		const { call } = createTestAgent();
		for (const text of ["a", "b", "c"]) await call("SendMessage", { message: createMessage(text) });
		const { result: first } = await call("ListTasks", { pageSize: 2 });
		expect(first).toMatchObject({
			tasks: [{ id: "run_3" }, { id: "run_2" }],
			nextPageToken: "2",
			pageSize: 2,
			totalSize: 3,
		});
		expect(first.tasks[0]).not.toHaveProperty("artifacts");
		const { result: second } = await call("ListTasks", {
			pageSize: 2,
			pageToken: first.nextPageToken,
			includeArtifacts: true,
		});
		expect(second).toMatchObject({
			tasks: [{ id: "run_1", artifacts: [{ artifactId: "answer" }] }],
			nextPageToken: "",
		});
	});

	it("selects", async () => {
		const { call } = createTestAgent({ script: [started] });
		const configuration = { returnImmediately: true };
		for (const contextId of ["a", "b"])
			await call("SendMessage", { message: createMessage("?", { contextId }), configuration });
		await call("CancelTask", { id: "run_1" });
		expect((await call("ListTasks", { status: "TASK_STATE_CANCELED" })).result.totalSize).toBe(1);
		expect((await call("ListTasks", { contextId: "b", status: "" })).result.tasks).toMatchObject([
			{ id: "run_2" },
		]);
	});

	it.each([
		["pageSize", { pageSize: 0 }],
		["pageSize", { pageSize: 101 }],
		["pageSize", { pageSize: 1.5 }],
		["status", { status: "working" }],
		["statusTimestampAfter", { statusTimestampAfter: "yesterday" }],
		["includeArtifacts", { includeArtifacts: "maybe" }],
	])("refuses a %s that is none: %j", async (field, params) => {
		const { call } = createTestAgent();
		expect((await call("ListTasks", params)).error).toMatchObject({
			code: -32602,
			message: expect.stringMatching(new RegExp(`^${field}: `)),
		});
	});
});

describe("push configurations", () => {
	const url = "https://a.example/hook";

	it("are kept, told without secrets, and deleted", async () => {
		const { call, store } = createTestAgent({ push: true });
		const taskPushNotificationConfig = {
			url,
			token: "s3cret",
			authentication: { scheme: "Bearer", credentials: "s3cret" },
		};
		await call("SendMessage", { message: createMessage("?"), configuration: { taskPushNotificationConfig } });
		expect(store.starts[0]?.pushConfig).toMatchObject({
			...taskPushNotificationConfig,
			id: expect.stringMatching(/^push_/),
		});
		const { result: created } = await call("CreateTaskPushNotificationConfig", {
			taskId: "run_1",
			id: "mine",
			url,
			token: "s3cret",
		});
		expect(created).toEqual({ id: "mine", taskId: "run_1", url });
		const { result: list } = await call("ListTaskPushNotificationConfigs", { taskId: "run_1" });
		expect(list).toMatchObject({
			configs: [{ authentication: { scheme: "Bearer" } }, { id: "mine" }],
			nextPageToken: "",
		});
		expect(JSON.stringify(list)).not.toContain("s3cret");
		expect((await call("GetTaskPushNotificationConfig", { taskId: "run_1", id: "mine" })).result).toEqual(
			created,
		);
		for (const _ of [1, 2])
			expect(
				(await call("DeleteTaskPushNotificationConfig", { taskId: "run_1", id: "mine" })).result,
			).toEqual({});
		expect((await call("GetTaskPushNotificationConfig", { taskId: "run_1", id: "mine" })).error.code).toBe(
			-32001,
		);
		expect((await call("CreateTaskPushNotificationConfig", { taskId: "run_9", url })).error.code).toBe(
			-32001,
		);
	});

	it("of a message that is sent again are set on its task, and not twice", async () => {
		const { call, store } = createTestAgent({ push: true });
		const message = createMessage("?");
		const send = (taskPushNotificationConfig?: object) =>
			call("SendMessage", { message, configuration: { taskPushNotificationConfig } });
		const list = async () =>
			(await call("ListTaskPushNotificationConfigs", { taskId: "run_1" })).result.configs;
		await send();
		expect(await list()).toEqual([]);
		for (const token of ["first", "second"]) await send({ url, token });
		expect(await list()).toMatchObject([{ url, id: expect.stringMatching(/^push_/) }]);
		const [{ id }] = await list();
		expect(await store.pushConfigs?.get("run_1", id)).toMatchObject({ token: "second" });
		await send({ url, id: "mine" });
		expect(await list()).toMatchObject([{ id }, { id: "mine" }]);
		expect(store.starts).toHaveLength(1);
	});

	it.each([
		["url", { url: "hook" }],
		["url", { url: "file:///etc/passwd" }],
		["url", { url: "https://user:pass@a.example" }],
		["token", { url, token: "a\r\nx: y" }],
		["authentication.scheme", { url, authentication: { scheme: "Bearer x" } }],
		["authentication.credentials", { url, authentication: { scheme: "Bearer", credentials: "a\nb" } }],
	])("are refused for a bad %s: %j", async (field, config) => {
		const { call } = createTestAgent({ push: true });
		await call("SendMessage", { message: createMessage("?") });
		const { error } = await call("CreateTaskPushNotificationConfig", { taskId: "run_1", ...config });
		expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(new RegExp(`^${field}: `)) });
	});

	it("are not supported without a store for them", async () => {
		const { call, store } = createTestAgent();
		const taskPushNotificationConfig = { url };
		const { error } = await call("SendMessage", {
			message: createMessage("?"),
			configuration: { taskPushNotificationConfig },
		});
		expect(error).toMatchObject({ code: -32003, data: [errorInfo("PUSH_NOTIFICATION_NOT_SUPPORTED")] });
		expect(store.starts).toEqual([]);
		for (const name of ["Create", "Get", "List", "Delete"]) {
			const method = `${name}TaskPushNotificationConfig${name === "List" ? "s" : ""}`;
			expect((await call(method, { taskId: "run_1", id: "x", url })).error.code).toBe(-32003);
		}
	});
});
