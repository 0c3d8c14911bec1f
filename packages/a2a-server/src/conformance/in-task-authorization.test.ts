import { describe, expect, it } from "vitest";
import { addUpdates } from "../test-support/add-updates";
import { approval, completed, paused, resumed, started, textDelta } from "../test-support/run-events";
import { createMessage, createTestAgent, followStream, readStream } from "../test-support/test-agent";

/** A2A 1.0.1, section 7.6: an agent that needs a human approval before it acts. */
const AUTH_REQUIRED = "TASK_STATE_AUTH_REQUIRED";
const RETURN_IMMEDIATELY = { returnImmediately: true };

const decision = (more: object = {}) => ({ data: { approval_id: "ap_1", decision: "approve", ...more } });

async function createWaitingAgent(canDecide = true) {
	const agent = createTestAgent({
		script: [started, paused],
		...(canDecide && { onDecision: [resumed, textDelta("Done."), completed("Done.")] }),
	});
	await agent.call("SendMessage", { message: createMessage("Refund it.", { contextId: "c" }) });
	const sendMessage = (parts: object[], more: object = {}) => ({
		message: { ...createMessage(""), taskId: "run_1", parts, ...more },
	});
	return {
		...agent,
		sendMessage,
		send: (parts: object[], more?: object) => agent.call("SendMessage", sendMessage(parts, more)),
	};
}

describe("7.6.1 MUST", () => {
	it("track the operation by a Task, in TASK_STATE_AUTH_REQUIRED, with a message that explains it", async () => {
		const { call } = createTestAgent({ script: [started, paused] });
		const { task } = (await call("SendMessage", { message: createMessage("Refund it.") })).result;
		expect(task).toMatchObject({
			id: "run_1",
			status: {
				state: AUTH_REQUIRED,
				message: {
					role: "ROLE_AGENT",
					taskId: "run_1",
					parts: [
						{ text: expect.stringContaining("/runs/run_1/approvals/") },
						{ data: { approvals: [approval] } },
					],
				},
			},
		});
	});
});

describe("7.6.1 SHOULD", () => {
	it("maintain active streams while the task waits, and continue without a message", async () => {
		const { open, store } = createTestAgent({ script: [started, paused] });
		const stream = followStream(await open("SendStreamingMessage", { message: createMessage("Refund it.") }));
		const updates: unknown[] = [];
		for await (const update of stream) {
			updates.push(update);
			if (JSON.stringify(update).includes(AUTH_REQUIRED)) store.emit("run_1", resumed, completed("Done."));
		}
		expect(updates.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
	});

	it("support messages to the task while it waits: other than a decision is answered, and it keeps waiting", async () => {
		const { send, call, store } = await createWaitingAgent();
		const { task } = (await send([{ text: "Please do." }])).result;
		expect(task.status).toMatchObject({
			state: AUTH_REQUIRED,
			message: {
				role: "ROLE_AGENT",
				parts: [
					{ text: expect.stringMatching(/no decision.*Decide with POST/) },
					{ data: { run_id: "run_1" } },
				],
			},
		});
		expect((await call("GetTask", { id: "run_1" })).result.status.state).toBe(AUTH_REQUIRED);
		expect(store).toMatchObject({ decisions: [], starts: [{}] });
	});

	it("support messages to the task while it waits: on a stream, too", async () => {
		const { open, sendMessage, store } = await createWaitingAgent();
		const stream = followStream(await open("SendStreamingMessage", sendMessage([{ text: "Please do." }])));
		expect((await stream.next()).value).toMatchObject({
			task: { id: "run_1", status: { state: AUTH_REQUIRED } },
		});
		store.emit("run_1", resumed, completed("Done."));
		const rest = [];
		for await (const update of stream) rest.push(update);
		expect(rest.at(-1)).toMatchObject({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } });
	});
});

describe("7.6.1 MAY: a decision within a message, as the card's extension agrees", () => {
	it.each<[string, object]>([
		["approve", {}],
		["deny", { decision: "deny", reason: "Too much." }],
	])("%s: the task goes on, and is answered at its end", async (_, more) => {
		const { send, store } = await createWaitingAgent();
		const { task } = (await send([{ text: "See the attachment." }, decision(more)])).result;
		expect(task).toMatchObject({
			id: "run_1",
			contextId: "c",
			status: { state: "TASK_STATE_COMPLETED" },
			artifacts: [{ parts: [{ text: "Done." }] }],
		});
		expect(store.decisions).toEqual([{ approval_id: "ap_1", decision: "approve", ...more }]);
	});

	it("is streamed, with the task that goes on first", async () => {
		const { open, sendMessage } = await createWaitingAgent();
		const updates = await readStream(await open("SendStreamingMessage", sendMessage([decision()])));
		expect(updates[0]).toMatchObject({ task: { status: { state: "TASK_STATE_WORKING" } } });
		expect(addUpdates(updates)).toMatchObject({
			status: { state: "TASK_STATE_COMPLETED" },
			artifacts: [{ parts: [{ text: "Done." }] }],
		});
	});

	it("is answered at once where that is asked, by a task that goes on", async () => {
		const { call, sendMessage } = await createWaitingAgent();
		const { task } = (
			await call("SendMessage", { ...sendMessage([decision()]), configuration: RETURN_IMMEDIATELY })
		).result;
		expect(task.status.state).toMatch(/_(WORKING|COMPLETED)$/);
	});

	it("is not taken from callers who may not decide: they are told, and the task keeps waiting", async () => {
		const { send, call } = await createWaitingAgent(false);
		const { task } = (await send([decision()])).result;
		expect(task.status).toMatchObject({
			state: AUTH_REQUIRED,
			message: { parts: [{ text: expect.stringMatching(/may not decide.*runs:approve/) }, {}] },
		});
		expect((await call("GetTask", { id: "run_1" })).result.status.state).toBe(AUTH_REQUIRED);
	});

	it.each<[string, object[], string]>([
		["no approval", [{ data: { decision: "approve" } }], "message.parts[0].data.approval_id"],
		["no decision", [{ data: { approval_id: "ap_1" } }], "message.parts[0].data.decision"],
		["another word", [decision({ decision: "approved" })], "message.parts[0].data.decision"],
		["a field that is none", [decision({ reasn: "x" })], "message.parts[0].data"],
		["a long reason", [decision({ reason: "x".repeat(1001) })], "message.parts[0].data.reason"],
		["two on one approval", [decision(), decision({ decision: "deny" })], "message.parts"],
	])("is refused with %s, and nothing is decided", async (_, parts, field) => {
		const { send, store } = await createWaitingAgent();
		const { error } = await send(parts);
		expect(error).toMatchObject({ code: -32602, data: [{}, { fieldViolations: [{ field }] }] });
		expect(store.decisions).toEqual([]);
	});

	it("is refused for an approval that is not there", async () => {
		const { send } = await createWaitingAgent();
		const { error } = await send([{ data: { approval_id: "ap_9", decision: "approve" } }]);
		expect(error).toMatchObject({ code: -32602, data: [{ metadata: { code: "approval_not_found" } }] });
	});
});
