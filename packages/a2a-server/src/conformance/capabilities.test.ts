import { describe, expect, it } from "vitest";
import { BINDINGS, callWithBinding } from "../test-support/both-bindings";
import { createMessage, createTestAgent, type TestAgent } from "../test-support/test-agent";

/** A2A 1.0.1, sections 3.3.4, 3.6, 4.6, 5.1 and 13.3: what an agent offers, and to whom. */
const PUSH_METHODS = [
	"CreateTaskPushNotificationConfig",
	"GetTaskPushNotificationConfig",
	"ListTaskPushNotificationConfigs",
	"DeleteTaskPushNotificationConfig",
];

/** An agent whose card says something else than what its store could do. */
function agentWith(capabilities: object): TestAgent {
	return createTestAgent({ push: true, capabilities });
}

describe.each(BINDINGS)("over %s", (binding) => {
	const run = (agent: TestAgent, method: string, params: object = {}) =>
		callWithBinding(agent, binding, method, { ...params });

	describe("3.3.4 Capability Validation", () => {
		it.each(PUSH_METHODS)(
			"without pushNotifications, %s MUST return PushNotificationNotSupportedError",
			async (method) => {
				const config = { taskId: "run_1", id: "x", url: "https://a.example/hook" };
				for (const agent of [createTestAgent(), agentWith({ pushNotifications: false })])
					expect((await run(agent, method, config)).reason).toBe("PUSH_NOTIFICATION_NOT_SUPPORTED");
			},
		);

		it("without streaming, streams MUST return UnsupportedOperationError", async () => {
			const agent = agentWith({ streaming: false });
			const { reason } = await run(agent, "SendStreamingMessage", { message: createMessage("?") });
			expect([reason, agent.store.starts]).toEqual(["UNSUPPORTED_OPERATION", []]);
			expect((await run(agent, "SubscribeToTask", { id: "run_1" })).reason).toBe("UNSUPPORTED_OPERATION");
		});

		it("without extendedAgentCard, GetExtendedAgentCard MUST return UnsupportedOperationError (13.3)", async () => {
			expect((await run(createTestAgent(), "GetExtendedAgentCard")).reason).toBe("UNSUPPORTED_OPERATION");
		});

		it("with extendedAgentCard and none configured, it MUST return ExtendedAgentCardNotConfiguredError (13.3)", async () => {
			const agent = agentWith({ extendedAgentCard: true });
			expect((await run(agent, "GetExtendedAgentCard")).reason).toBe("EXTENDED_AGENT_CARD_NOT_CONFIGURED");
		});

		it("without a required extension, it MUST return ExtensionSupportRequiredError", async () => {
			const agent = createTestAgent({
				card: { extensions: [{ uri: "https://a.example/x/v2", required: true }] },
			});
			for (const method of ["SendMessage", "SendStreamingMessage"])
				expect((await run(agent, method, { message: createMessage("?") })).reason).toBe(
					"EXTENSION_SUPPORT_REQUIRED",
				);
		});
	});

	describe("5.1 Functional Equivalence", () => {
		it("MUST offer the same operations over each binding", async () => {
			const agent = createTestAgent({ push: true });
			const config = { taskId: "run_1", id: "mine", url: "https://a.example/hook" };
			const reasons = [];
			for (const [method, params] of [
				["SendMessage", { message: createMessage("?") }],
				["SendStreamingMessage", { message: createMessage("?") }],
				["GetTask", { id: "run_1" }],
				["ListTasks", {}],
				["CreateTaskPushNotificationConfig", config],
				["GetTaskPushNotificationConfig", { taskId: "run_1", id: "mine" }],
				["ListTaskPushNotificationConfigs", { taskId: "run_1" }],
				["DeleteTaskPushNotificationConfig", { taskId: "run_1", id: "mine" }],
				["CancelTask", { id: "run_1" }],
				["SubscribeToTask", { id: "run_1" }],
				["GetExtendedAgentCard", {}],
			] as const)
				reasons.push((await run(agent, method, params)).reason);
			expect(reasons).toEqual([
				...Array.from({ length: 8 }, () => undefined),
				"TASK_NOT_CANCELABLE",
				"UNSUPPORTED_OPERATION",
				"UNSUPPORTED_OPERATION",
			]);
		});
	});
});

describe("3.6 Versioning", () => {
	const send = (headers: Readonly<Record<string, string>>) =>
		createTestAgent().call("GetTask", { id: "none" }, headers);
	const reasonOf = ({ error }: { error: { data: { reason: string }[] } }) => error.data[0]?.reason;

	it.each(["0.3", "1.1", "2.0", "nonsense"])(
		"3.6.2 MUST return VersionNotSupportedError for %s",
		async (version) => {
			expect(reasonOf(await send({ "a2a-version": version }))).toBe("VERSION_NOT_SUPPORTED");
		},
	);

	it("3.6.2 MUST interpret an empty value as 0.3", async () => {
		for (const headers of [{}, { "a2a-version": "" }])
			expect((await send(headers as Record<string, string>)).error).toMatchObject({
				code: -32009,
				message: expect.stringContaining('"0.3"'),
			});
	});

	it("3.6 MUST NOT consider patch versions", async () => {
		expect(reasonOf(await send({ "a2a-version": "1.0.1" }))).toBe("TASK_NOT_FOUND");
	});

	it("3.6.1 MAY be given as a request parameter", async () => {
		const headers = { "a2a-version": "" };
		expect((await createTestAgent().send("/tasks?A2A-Version=1.0", { headers })).status).toBe(200);
	});
});

describe("4.6.3 Extension Versioning and Compatibility", () => {
	it("SHOULD ignore extensions that the agent does not know", async () => {
		const headers = { "a2a-version": "1.0", "a2a-extensions": "https://a.example/unknown/v9" };
		expect(
			await createTestAgent().call("SendMessage", { message: createMessage("?") }, headers),
		).toHaveProperty("result.task");
	});

	it("MUST NOT fall back to another version of a required extension", async () => {
		const { call } = createTestAgent({
			card: { extensions: [{ uri: "https://a.example/x/v2", required: true }] },
		});
		const headers = { "a2a-version": "1.0", "a2a-extensions": "https://a.example/x/v1" };
		expect((await call("SendMessage", { message: createMessage("?") }, headers)).error.code).toBe(-32008);
	});
});
