import { describe, expect, it } from "vitest";
import { BINDINGS, callWithBinding } from "../test-support/both-bindings";
import { completed, paused, started } from "../test-support/run-events";
import { createMessage, createTestAgent, type TestAgent } from "../test-support/test-agent";

/** A2A 1.0.1, section 3.4: contexts and tasks that go on. */
describe.each(BINDINGS)("over %s", (binding) => {
	const send = async (agent: TestAgent, message: object, method = "SendMessage") =>
		callWithBinding(agent, binding, method, { message });

	describe("3.4.1 Context Identifier", () => {
		it("MUST include a generated contextId in the response", async () => {
			const { result } = await send(createTestAgent(), createMessage("?"));
			expect(result.task.contextId).toMatch(/./);
		});

		it("MAY preserve the contextId of a client, and MUST NOT generate another for it", async () => {
			const { result } = await send(createTestAgent(), createMessage("?", { contextId: "mine" }));
			expect(result.task.contextId).toBe("mine");
		});

		it("SHOULD treat tasks of a context as one conversation, and use it for the next answer (3.4.3)", async () => {
			const agent = createTestAgent();
			await send(agent, createMessage("How long?", { contextId: "mine" }));
			await send(agent, createMessage("And then?", { contextId: "mine" }));
			expect(agent.store.starts[1]?.input).toEqual({
				messages: [
					{ role: "user", content: "How long?" },
					{ role: "assistant", content: "Five days." },
					{ role: "user", content: "And then?" },
				],
			});
		});
	});

	describe("3.4.2 Task Identifier", () => {
		it("MUST generate a unique taskId for each new task, and include it", async () => {
			const agent = createTestAgent();
			const ids = [];
			for (const text of ["a", "b", "c"]) ids.push((await send(agent, createMessage(text))).result.task.id);
			expect(new Set(ids).size).toBe(3);
		});

		it("MUST return TaskNotFoundError for a taskId that does not exist, and starts nothing", async () => {
			const agent = createTestAgent();
			const { reason } = await send(agent, createMessage("?", { taskId: "of-mine" }));
			expect([reason, agent.store.starts]).toEqual(["TASK_NOT_FOUND", []]);
		});
	});

	describe("3.4.3 Multi-Turn Patterns", () => {
		async function waiting() {
			const agent = createTestAgent({ script: [started, paused] });
			await send(agent, createMessage("?", { contextId: "mine" }));
			return agent;
		}

		it("MUST infer the contextId from the task", async () => {
			const agent = await waiting();
			const { result } = await send(agent, createMessage("and?", { taskId: "run_1" }));
			expect(result.task).toMatchObject({ id: "run_1", contextId: "mine" });
		});

		it("MUST reject a contextId that is not that of the task", async () => {
			const agent = await waiting();
			for (const method of ["SendMessage", "SendStreamingMessage"])
				expect(
					await send(agent, createMessage("and?", { taskId: "run_1", contextId: "other" }), method),
				).toMatchObject({
					reason: "INVALID_PARAMS",
					message: expect.stringContaining("message.contextId"),
				});
		});

		it("takes referenceTaskIds", async () => {
			const agent = createTestAgent({ script: [started, completed("x")] });
			const { result } = await send(agent, createMessage("?", { referenceTaskIds: ["run_0"] }));
			expect(result.task.history[0].referenceTaskIds).toEqual(["run_0"]);
		});
	});

	it("3.3.1 a message that is sent twice MAY be known by its messageId", async () => {
		const agent = createTestAgent();
		const message = createMessage("?");
		const ids = [(await send(agent, message)).result.task.id, (await send(agent, message)).result.task.id];
		expect([ids[0], agent.store.starts.length]).toEqual([ids[1], 1]);
	});
});
