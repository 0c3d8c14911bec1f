import { describe, expect, it } from "vitest";
import { toNotification } from "../push/to-notification";
import { toPushRequest } from "../push/to-push-request";
import { reduceTask } from "../tasks/reduce-task";
import { createTaskProgress } from "../tasks/task-progress";
import { BINDINGS, callWithBinding } from "../test-support/both-bindings";
import { completed, paused, started, toEvents } from "../test-support/run-events";
import { createMessage, createTestAgent, type TestAgent } from "../test-support/test-agent";

/** A2A 1.0.1, sections 3.1.7 to 3.1.10, 4.3 and 13.2. How they are delivered is tested in the service. */
const url = "https://a.example/hook";

describe.each(BINDINGS)("over %s", (binding) => {
	const run = (agent: TestAgent, method: string, params: object) =>
		callWithBinding(agent, binding, method, { ...params });

	async function agentWithTask() {
		const agent = createTestAgent({ push: true });
		await run(agent, "SendMessage", { message: createMessage("?") });
		return agent;
	}

	it("3.1.7 MUST establish a configuration, with an id, that persists", async () => {
		const agent = await agentWithTask();
		const created = (await run(agent, "CreateTaskPushNotificationConfig", { taskId: "run_1", url })).result;
		expect(created).toEqual({ id: expect.stringMatching(/./), taskId: "run_1", url });
		expect(await agent.store.pushConfigs?.get("run_1", created.id)).toEqual(created);
	});

	it("3.1.8 MUST return url and settings; MUST fail for one that does not exist", async () => {
		const agent = await agentWithTask();
		const authentication = { scheme: "Bearer", credentials: "s3cret" };
		const config = { taskId: "run_1", id: "mine", url, authentication };
		await run(agent, "CreateTaskPushNotificationConfig", config);
		const found = await run(agent, "GetTaskPushNotificationConfig", { taskId: "run_1", id: "mine" });
		expect(found.result).toEqual({ taskId: "run_1", id: "mine", url, authentication: { scheme: "Bearer" } });
		const none = await run(agent, "GetTaskPushNotificationConfig", { taskId: "run_1", id: "none" });
		expect(none.reason).toBe("TASK_NOT_FOUND");
	});

	it("3.1.9 MUST return all configurations of the task", async () => {
		const agent = await agentWithTask();
		for (const id of ["a", "b"])
			await run(agent, "CreateTaskPushNotificationConfig", { taskId: "run_1", id, url });
		const { result } = await run(agent, "ListTaskPushNotificationConfigs", { taskId: "run_1" });
		expect(result.configs.map(({ id }: { id: string }) => id)).toEqual(["a", "b"]);
	});

	it("3.1.10 MUST remove a configuration for good, and be idempotent", async () => {
		const agent = await agentWithTask();
		await run(agent, "CreateTaskPushNotificationConfig", { taskId: "run_1", id: "a", url });
		for (const _ of [1, 2])
			expect(
				(await run(agent, "DeleteTaskPushNotificationConfig", { taskId: "run_1", id: "a" })).reason,
			).toBeUndefined();
		const { result } = await run(agent, "ListTaskPushNotificationConfigs", { taskId: "run_1" });
		expect(result.configs).toEqual([]);
	});

	it("3.1.7 to 3.1.10 return TaskNotFoundError for a task that does not exist", async () => {
		const agent = createTestAgent({ push: true });
		for (const name of ["Create", "Get", "List", "Delete"]) {
			const method = `${name}TaskPushNotificationConfig${name === "List" ? "s" : ""}`;
			expect((await run(agent, method, { taskId: "none", id: "x", url })).reason).toBe("TASK_NOT_FOUND");
		}
	});
});

describe("4.3.3 Push Notification Payload", () => {
	const authentication = { scheme: "Bearer", credentials: "s3cret" };
	const config = { taskId: "run_1", id: "x", url, token: "mine", authentication };

	it("MUST include the credentials of the configuration; the body is a StreamResponse as application/a2a+json", () => {
		const { method, headers, body } = toPushRequest(config, {
			task: { id: "run_1", contextId: "c", status: { state: "TASK_STATE_WORKING" } },
		});
		expect(method).toBe("POST");
		expect(headers).toEqual({
			"content-type": "application/a2a+json",
			"x-a2a-notification-token": "mine",
			authorization: "Bearer s3cret",
		});
		expect(Object.keys(JSON.parse(String(body)))).toEqual(["task"]);
	});

	it("has exactly one of task, message, statusUpdate and artifactUpdate", () => {
		let progress = createTaskProgress({ taskId: "run_1", contextId: "c" }, "2026-01-02T03:04:05.000Z");
		for (const event of toEvents([started, paused, completed("x")])) {
			progress = reduceTask(progress, event).progress;
			const keys = Object.keys(toNotification(event, progress) ?? {});
			expect(keys).toEqual([event.type === "run.started" ? "statusUpdate" : "task"]);
		}
	});
});
