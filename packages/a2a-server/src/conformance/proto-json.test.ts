import { describe, expect, it } from "vitest";
import { BINDINGS, callWithBinding } from "../test-support/both-bindings";
import { completed, started } from "../test-support/run-events";
import { createTestAgent, type TestAgent } from "../test-support/test-agent";

/**
 * A2A 1.0.1, sections 5.5 to 5.7: JSON is ProtoJSON. What is sent is camelCase; what is read may have the names of
 * `a2a.proto`, too, as every parser of ProtoJSON reads them.
 */
const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Renames every field as `a2a.proto` spells it; values of `data` and `metadata` stay as they are. */
function toProtoNames(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(toProtoNames);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, value]) => [
			toSnake(name),
			name === "data" || name === "metadata" ? value : toProtoNames(value),
		]),
	);
}

const message = {
	messageId: "m-1",
	contextId: "c-1",
	role: "ROLE_USER",
	parts: [{ text: "hi", mediaType: "text/plain" }, { data: { orderId: 1, order_id: 2 } }],
	referenceTaskIds: ["run_0"],
	metadata: { traceId: 1, trace_id: 2 },
};
const push = {
	id: "mine",
	url: "https://a.example/hook",
	token: "t",
	authentication: { scheme: "Bearer", credentials: "s3cret" },
};

describe.each(BINDINGS)("over %s", (binding) => {
	const run = (agent: TestAgent, method: string, params: object) =>
		callWithBinding(agent, binding, method, { ...params });

	/** A task with a push configuration, by one spelling. */
	async function send(spell: (params: object) => unknown) {
		const agent = createTestAgent({ push: true, script: [started, completed({ days: 5 })] });
		const configuration = {
			acceptedOutputModes: ["text/plain"],
			historyLength: 0,
			returnImmediately: true,
			taskPushNotificationConfig: push,
		};
		const { result } = await run(agent, "SendMessage", spell({ message, configuration }) as object);
		return { agent, result };
	}

	describe("5.5 JSON Field Naming", () => {
		it("reads a message and its configuration by both names", async () => {
			const camel = await send((params) => params);
			const snake = await send((params) => toProtoNames(params) as object);
			expect(snake.result).toEqual(camel.result);
			expect(snake.result.task).not.toHaveProperty("history");
			expect(snake.agent.store.starts).toEqual(camel.agent.store.starts);
			const [start] = snake.agent.store.starts;
			expect(start).toMatchObject({ contextId: "c-1", pushConfig: push, message });
		});

		it.each<[string, object, object]>([
			["GetTask", { id: "run_1", history_length: 0 }, { id: "run_1", historyLength: 0 }],
			["ListTasks", { context_id: "c-1", page_size: 1 }, { contextId: "c-1", pageSize: 1 }],
			[
				"ListTasks",
				{ page_size: 1, page_token: "1", include_artifacts: true },
				{ pageSize: 1, pageToken: "1", includeArtifacts: true },
			],
			[
				"ListTasks",
				{ status_timestamp_after: "2026-01-01T00:00:00Z", history_length: 0 },
				{ statusTimestampAfter: "2026-01-01T00:00:00Z", historyLength: 0 },
			],
		])("reads %s by both names: %j", async (method, snake, camel) => {
			const { agent } = await send((params) => params);
			await run(agent, "SendMessage", { message: { ...message, messageId: "m-2" } });
			const outcome = await run(agent, method, snake);
			expect(outcome.reason).toBeUndefined();
			expect(outcome.result).toEqual((await run(agent, method, camel)).result);
		});

		it.each<[string, object, string]>([
			["message", { message: { ...message, message_id: "m-1" } }, "message.messageId"],
			["message", { message: { ...message, context_id: "c-1" } }, "message.contextId"],
			[
				"part",
				{ message: { ...message, parts: [{ text: "a", mediaType: "a", media_type: "a" }] } },
				"message.parts[0].mediaType",
			],
			[
				"configuration",
				{ message, configuration: { historyLength: 1, history_length: 1 } },
				"configuration.historyLength",
			],
		])("refuses a field of a %s that is given twice", async (_, params, field) => {
			const agent = createTestAgent();
			const { reason, message: text } = await run(agent, "SendMessage", params);
			expect([reason, text, agent.store.starts]).toEqual([
				"INVALID_PARAMS",
				expect.stringMatching(`^${field.replace(/[[\].]/g, "\\$&")}: Given twice`),
				[],
			]);
		});

		it("refuses a parameter that is given twice", async () => {
			const { reason, message: text } = await run(createTestAgent(), "ListTasks", {
				pageSize: 1,
				page_size: 2,
			});
			expect([reason, text]).toEqual([
				"INVALID_PARAMS",
				expect.stringMatching(/^pageSize: Given twice, as pageSize and as page_size/),
			]);
		});

		it("MUST send camelCase names", async () => {
			const { agent, result } = await send((params) => toProtoNames(params) as object);
			const sent = [result, (await run(agent, "ListTasks", { include_artifacts: true })).result];
			const names = JSON.stringify(sent, (name, value) =>
				["data", "metadata"].includes(name) ? undefined : value,
			);
			expect(
				[...names.matchAll(/"(\w+)":/g)].map(([, name]) => name).filter((name) => name?.includes("_")),
			).toEqual([]);
		});

		it("reads enumerations by their numbers, and MUST send their names", async () => {
			const agent = createTestAgent();
			const { result } = await run(agent, "SendMessage", { message: { ...message, role: 1 } });
			expect(result.task).toMatchObject({
				status: { state: "TASK_STATE_COMPLETED" },
				history: [{ role: "ROLE_USER" }],
			});
			expect((await run(agent, "ListTasks", { status: 3 })).result.totalSize).toBe(1);
			expect((await run(agent, "ListTasks", { status: 4 })).result.totalSize).toBe(0);
			expect((await run(agent, "ListTasks", { status: 12 })).reason).toBe("INVALID_PARAMS");
		});
	});

	describe("5.6.1 Timestamps", () => {
		it("MUST be ISO 8601 in UTC, with milliseconds", async () => {
			const { result } = await send((params) => params);
			expect(result.task.status.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
		});

		it("MUST parse those of requests", async () => {
			const { agent } = await send((params) => params);
			for (const time of ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.123Z"])
				expect((await run(agent, "ListTasks", { statusTimestampAfter: time })).reason).toBeUndefined();
			expect((await run(agent, "ListTasks", { statusTimestampAfter: "soon" })).reason).toBe("INVALID_PARAMS");
		});
	});

	describe("5.7 Field Presence", () => {
		it.each<[string, object]>([
			["message", {}],
			["message.messageId", { message: { ...message, messageId: undefined } }],
			["message.role", { message: { ...message, role: undefined } }],
			["message.role", { message: { ...message, role: "ROLE_UNSPECIFIED" } }],
			["message.parts", { message: { ...message, parts: undefined } }],
			["message.parts", { message: { ...message, parts: [] } }],
			[
				"configuration.taskPushNotificationConfig.url",
				{ message, configuration: { taskPushNotificationConfig: {} } },
			],
			[
				"configuration.taskPushNotificationConfig.authentication.scheme",
				{ message, configuration: { taskPushNotificationConfig: { url: push.url, authentication: {} } } },
			],
		])("SHOULD reject a request without the required %s", async (field, params) => {
			const agent = createTestAgent({ push: true });
			const { reason, message: text } = await run(agent, "SendMessage", params);
			expect([reason, text?.split(":")[0], agent.store.starts]).toEqual(["INVALID_PARAMS", field, []]);
		});

		it("SHOULD ignore unrecognized fields", async () => {
			const params = {
				unknown: 1,
				message: { ...message, unknown: 1, parts: [{ text: "a", unknown: 1 }] },
				configuration: { unknown: 1 },
			};
			expect((await run(createTestAgent(), "SendMessage", params)).reason).toBeUndefined();
		});

		it("takes null as unset", async () => {
			const { result } = await run(createTestAgent(), "SendMessage", {
				message: { ...message, contextId: null, taskId: null, metadata: null },
				configuration: null,
			});
			expect(result.task.contextId).toMatch(/./);
		});
	});
});

it("11.5 the path counts more than the body, however that spells it", async () => {
	const agent = createTestAgent({ push: true });
	await callWithBinding(agent, "JSONRPC", "SendMessage", { message });
	const response = await agent.send("/tasks/run_1/pushNotificationConfigs", {
		method: "POST",
		headers: { "content-type": "application/a2a+json" },
		body: JSON.stringify({ ...push, task_id: "run_9" }),
	});
	expect([response.status, await response.json()]).toMatchObject([201, { taskId: "run_1" }]);
});
