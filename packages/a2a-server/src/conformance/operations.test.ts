import type { A2aStreamResponse, A2aTask } from "@stemma/client/a2a";
import { describe, expect, it } from "vitest";
import { addUpdates } from "../test-support/add-updates";
import { BINDINGS, callWithBinding } from "../test-support/both-bindings";
import {
	cancelled,
	completed,
	failed,
	started,
	type TestRunEvent,
	textDelta,
} from "../test-support/run-events";
import { createMessage, createTestAgent, followStream, readStream } from "../test-support/test-agent";

/** A2A 1.0.1, sections 3.1.1 to 3.1.6, 3.2 and 3.5: what the operations do. Each test over each binding. */
const RETURN_IMMEDIATELY = { returnImmediately: true };
const TERMINAL_STATES: readonly (readonly [string, TestRunEvent])[] = [
	["TASK_STATE_COMPLETED", completed("Five days.")],
	["TASK_STATE_FAILED", failed(null)],
	["TASK_STATE_CANCELED", cancelled(null)],
];

describe.each(BINDINGS)("over %s", (binding) => {
	const run = (agent: ReturnType<typeof createTestAgent>, method: string, params: object = {}) =>
		callWithBinding(agent, binding, method, { ...params });

	describe("3.1.1 Send Message", () => {
		it("MUST return the task", async () => {
			const { result } = await run(createTestAgent(), "SendMessage", { message: createMessage("?") });
			expect(Object.keys(result)).toEqual(["task"]);
		});

		it("returns ContentTypeNotSupportedError for a media type that is not supported", async () => {
			for (const part of [
				{ raw: "AA==" },
				{ url: "https://a.example/x.pdf" },
				{ text: "a", mediaType: "image/png" },
			]) {
				const agent = createTestAgent();
				const { reason } = await run(agent, "SendMessage", { message: createMessage("", { parts: [part] }) });
				expect([reason, agent.store.starts]).toEqual(["CONTENT_TYPE_NOT_SUPPORTED", []]);
			}
		});

		it.each(TERMINAL_STATES)(
			"returns UnsupportedOperationError for a message to a task in %s",
			async (_, end) => {
				const agent = createTestAgent({ script: [started, end] });
				await run(agent, "SendMessage", { message: createMessage("?") });
				const { reason } = await run(agent, "SendMessage", {
					message: createMessage("and?", { taskId: "run_1" }),
				});
				expect(reason).toBe("UNSUPPORTED_OPERATION");
			},
		);

		it("returns TaskNotFoundError for a message to a task that does not exist", async () => {
			const { reason } = await run(createTestAgent(), "SendMessage", {
				message: createMessage("?", { taskId: "none" }),
			});
			expect(reason).toBe("TASK_NOT_FOUND");
		});
	});

	describe("3.1.2 Send Streaming Message", () => {
		it.each(TERMINAL_STATES)(
			"MUST begin with the Task, go on with its updates, and close in %s",
			async (state, end) => {
				const agent = createTestAgent({ script: [started, textDelta("Five"), end] });
				const { result } = await run(agent, "SendStreamingMessage", { message: createMessage("?") });
				const [first, ...updates]: A2aStreamResponse[] = result;
				expect(Object.keys(first ?? {})).toEqual(["task"]);
				for (const update of updates)
					expect(Object.keys(update).join()).toMatch(/^(statusUpdate|artifactUpdate)$/);
				expect(addUpdates(result).status.state).toBe(state);
			},
		);

		it("MUST give immediate feedback", async () => {
			const agent = createTestAgent({ script: [] });
			const stream = followStream(await agent.open("SendStreamingMessage", { message: createMessage("?") }));
			expect((await stream.next()).value).toHaveProperty("task.id", "run_1");
			agent.store.emit("run_1", started);
			expect((await stream.next()).value).toHaveProperty("statusUpdate");
			await stream.return(undefined);
		});

		it("returns TaskNotFoundError and ContentTypeNotSupportedError instead of a stream", async () => {
			const toMissing = await run(createTestAgent(), "SendStreamingMessage", {
				message: createMessage("?", { taskId: "none" }),
			});
			expect(toMissing.reason).toBe("TASK_NOT_FOUND");
			const file = { message: createMessage("", { parts: [{ raw: "AA==" }] }) };
			expect((await run(createTestAgent(), "SendStreamingMessage", file)).reason).toBe(
				"CONTENT_TYPE_NOT_SUPPORTED",
			);
		});
	});

	describe("3.1.3 Get Task", () => {
		it("returns the current state and artifacts, or TaskNotFoundError", async () => {
			const agent = createTestAgent();
			const { task } = (await run(agent, "SendMessage", { message: createMessage("?") })).result;
			expect((await run(agent, "GetTask", { id: "run_1" })).result).toEqual(task);
			expect((await run(agent, "GetTask", { id: "none" })).reason).toBe("TASK_NOT_FOUND");
		});
	});

	describe("3.1.4 List Tasks", () => {
		async function listing() {
			const agent = createTestAgent();
			for (const text of ["a", "b", "c"]) await run(agent, "SendMessage", { message: createMessage(text) });
			return agent;
		}

		it("MUST omit artifacts by default, and have them with includeArtifacts", async () => {
			const agent = await listing();
			const { tasks } = (await run(agent, "ListTasks")).result;
			for (const task of tasks) expect(task).not.toHaveProperty("artifacts");
			const full = (await run(agent, "ListTasks", { includeArtifacts: true })).result.tasks;
			for (const task of full) expect(task.artifacts).toHaveLength(1);
		});

		it("MUST always have nextPageToken, empty on the last page; pages by cursor", async () => {
			const agent = await listing();
			const first = (await run(agent, "ListTasks", { pageSize: 2 })).result;
			expect(first).toMatchObject({ pageSize: 2, totalSize: 3, nextPageToken: expect.stringMatching(/./) });
			const last = (await run(agent, "ListTasks", { pageSize: 2, pageToken: first.nextPageToken })).result;
			expect(last.nextPageToken).toBe("");
			const ids = [...first.tasks, ...last.tasks].map(({ id }: A2aTask) => id);
			expect(ids).toEqual(["run_3", "run_2", "run_1"]);
		});

		it("filters by context, status and status time", async () => {
			const agent = createTestAgent({ script: [started] });
			const send = (contextId: string) =>
				run(agent, "SendMessage", {
					message: createMessage("?", { contextId }),
					configuration: RETURN_IMMEDIATELY,
				});
			await send("a");
			await send("b");
			await run(agent, "CancelTask", { id: "run_1" });
			const list = async (query: object) =>
				(await run(agent, "ListTasks", query)).result.tasks.map(({ id }: A2aTask) => id);
			expect(await list({ contextId: "b" })).toEqual(["run_2"]);
			expect(await list({ status: "TASK_STATE_CANCELED" })).toEqual(["run_1"]);
			expect(await list({ status: "TASK_STATE_UNSPECIFIED" })).toHaveLength(2);
		});
	});

	describe("3.1.5 Cancel Task", () => {
		it("returns the updated task; TaskNotCancelableError once it has ended; TaskNotFoundError", async () => {
			const agent = createTestAgent({ script: [started] });
			await run(agent, "SendMessage", { message: createMessage("?"), configuration: RETURN_IMMEDIATELY });
			const { result } = await run(agent, "CancelTask", { id: "run_1" });
			expect(result).toMatchObject({ id: "run_1", status: { state: "TASK_STATE_CANCELED" } });
			const ended = createTestAgent();
			await run(ended, "SendMessage", { message: createMessage("?") });
			expect((await run(ended, "CancelTask", { id: "run_1" })).reason).toBe("TASK_NOT_CANCELABLE");
			expect((await run(ended, "CancelTask", { id: "none" })).reason).toBe("TASK_NOT_FOUND");
		});

		it("is idempotent (3.3.1)", async () => {
			const agent = createTestAgent({ script: [started] });
			await run(agent, "SendMessage", { message: createMessage("?"), configuration: RETURN_IMMEDIATELY });
			const [first, second] = [
				await run(agent, "CancelTask", { id: "run_1" }),
				await run(agent, "CancelTask", { id: "run_1" }),
			];
			expect(second.result).toEqual(first.result);
		});
	});

	describe("3.1.6 Subscribe to Task", () => {
		it("MUST return the Task first, and end when the task does", async () => {
			const agent = createTestAgent({ script: [started, textDelta("Fi")] });
			await run(agent, "SendMessage", { message: createMessage("?"), configuration: RETURN_IMMEDIATELY });
			const subscribed = run(agent, "SubscribeToTask", { id: "run_1" });
			await expect.poll(() => agent.store.watchers).toBe(1);
			agent.store.emit("run_1", textDelta("ve"), completed("Five"));
			const { result } = await subscribed;
			expect(result[0]).toMatchObject({ task: { id: "run_1", artifacts: [{ parts: [{ text: "Fi" }] }] } });
			expect(addUpdates(result)).toMatchObject({
				status: { state: "TASK_STATE_COMPLETED" },
				artifacts: [{ parts: [{ text: "Five" }] }],
			});
		});

		it.each(TERMINAL_STATES)("returns UnsupportedOperationError for a task in %s", async (_, end) => {
			const agent = createTestAgent({ script: [started, end] });
			await run(agent, "SendMessage", { message: createMessage("?") });
			expect((await run(agent, "SubscribeToTask", { id: "run_1" })).reason).toBe("UNSUPPORTED_OPERATION");
			expect((await run(agent, "SubscribeToTask", { id: "none" })).reason).toBe("TASK_NOT_FOUND");
		});
	});

	describe("3.2.2 SendMessageConfiguration", () => {
		it("blocking: MUST wait for the end, with all artifacts and status", async () => {
			const agent = createTestAgent({ script: [started] });
			const sent = run(agent, "SendMessage", { message: createMessage("?") });
			await expect.poll(() => agent.store.watchers).toBe(1);
			agent.store.emit("run_1", textDelta("Five"), completed("Five"));
			expect((await sent).result.task).toMatchObject({
				status: { state: "TASK_STATE_COMPLETED" },
				artifacts: [{ parts: [{ text: "Five" }] }],
			});
		});

		it("non-blocking: MUST return at once", async () => {
			const agent = createTestAgent({ script: [started] });
			const { result } = await run(agent, "SendMessage", {
				message: createMessage("?"),
				configuration: RETURN_IMMEDIATELY,
			});
			expect(result.task.status.state).toBe("TASK_STATE_WORKING");
		});

		it("SHOULD tailor the output to acceptedOutputModes", async () => {
			const send = async (acceptedOutputModes: string[]) => {
				const agent = createTestAgent({ script: [started, completed({ days: 5 })] });
				return run(agent, "SendMessage", {
					message: createMessage("?"),
					configuration: { acceptedOutputModes },
				});
			};
			const partsOf = async (modes: string[]) => (await send(modes)).result.task.artifacts[0].parts;
			expect(await partsOf(["text/plain"])).toEqual([{ text: '{"days":5}' }]);
			for (const modes of [
				[],
				["application/json"],
				["text/plain", "application/json; charset=utf-8"],
				["*/*"],
			])
				expect(await partsOf(modes)).toEqual([{ data: { days: 5 } }]);
			expect((await send(["image/png"])).reason).toBe("CONTENT_TYPE_NOT_SUPPORTED");
		});

		it("SHOULD tailor streams to acceptedOutputModes, too", async () => {
			const agent = createTestAgent({ script: [started, completed({ days: 5 })] });
			const configuration = { acceptedOutputModes: ["text/plain"] };
			const { result } = await run(agent, "SendStreamingMessage", {
				message: createMessage("?"),
				configuration,
			});
			expect(addUpdates(result).artifacts?.[0]?.parts).toEqual([{ text: '{"days":5}' }]);
		});
	});

	describe("3.2.4 History Length", () => {
		it("0: SHOULD omit the history; above: MUST NOT return more; unset: the server's own", async () => {
			const agent = createTestAgent();
			await run(agent, "SendMessage", { message: createMessage("?") });
			expect((await run(agent, "GetTask", { id: "run_1", historyLength: 0 })).result).not.toHaveProperty(
				"history",
			);
			for (const params of [{ historyLength: 1 }, { historyLength: 9 }, {}])
				expect((await run(agent, "GetTask", { id: "run_1", ...params })).result.history).toHaveLength(1);
			const { tasks } = (await run(agent, "ListTasks", { historyLength: 0 })).result;
			expect(tasks[0]).not.toHaveProperty("history");
		});
	});
});

describe("3.5.2 Streaming Event Delivery", () => {
	it("MUST broadcast the same events in the order they happened; closing one stream MUST NOT affect others", async () => {
		const agent = createTestAgent({ script: [started] });
		await agent.call("SendMessage", { message: createMessage("?"), configuration: RETURN_IMMEDIATELY });
		const open = () => agent.open("SubscribeToTask", { id: "run_1" });
		const [first, second, third] = [await open(), await open(), await open()];
		const all = [readStream(first), readStream(second)];
		const closed = third.body?.getReader();
		await closed?.read();
		await expect.poll(() => agent.store.watchers).toBe(2);
		await closed?.cancel();
		const words = ["a", "b", "c", "d"];
		for (const text of words) agent.store.emit("run_1", textDelta(text));
		agent.store.emit("run_1", completed("abcd"));
		const [one, other] = await Promise.all(all);
		expect(one).toEqual(other);
		const texts = (one ?? []).flatMap((update) =>
			"artifactUpdate" in update ? update.artifactUpdate.artifact.parts.map(({ text }) => text) : [],
		);
		expect(texts.filter((text) => text !== "")).toEqual(words);
	});
});
