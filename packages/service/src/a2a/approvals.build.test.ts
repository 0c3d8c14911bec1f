import type { AuditRecord } from "@stemma/client";
import type { A2aMessage, A2aTask } from "@stemma/client/a2a";
import type { Approval } from "@stemma/core";
import * as built from "@stemma/service";
import { createMcpHandler, text, useRpcServer } from "@stemma/simulators/rpc";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callRefund, REFUND_TOOLS, toRefundGraph } from "../test-support/refund-graph";
import { getBody } from "../test-support/tenant";
import {
	type A2aFixture,
	call,
	openStream,
	readStream,
	sendMessage,
	startA2aFixture,
	toMessage,
	waitForState,
} from "./test-support/a2a-fixture";
import { startWebhook, toState, type Webhook } from "./test-support/webhook";

let fixture: A2aFixture;
let webhook: Webhook;
const server = useRpcServer();
beforeAll(async () => {
	webhook = await startWebhook();
	fixture = await startA2aFixture(built);
	server.handle(
		createMcpHandler({ era: "modern", tools: REFUND_TOOLS, ttlMs: 0, call: () => text("It is refunded.") }),
	);
	await getBody(
		fixture.send("POST", "/v1/agents", { json: { graph: toRefundGraph(server.url), slug: "refunds" } }),
	);
});
afterAll(() => Promise.all([fixture?.close(), webhook?.close()]));

const agent = "refunds";
const AUTH_REQUIRED = "TASK_STATE_AUTH_REQUIRED";

async function pause(configuration: object = {}, token?: string): Promise<A2aTask> {
	fixture.vendor.enqueue(callRefund(7));
	const more = token === undefined ? {} : { token };
	return sendMessage(fixture, toMessage("Refund it."), { agent, configuration, ...more });
}

interface PendingApprovals {
	readonly run_id: string;
	readonly approvals: readonly Approval[];
}

const readPendingApprovals = ({ status }: A2aTask): PendingApprovals =>
	status.message?.parts[1]?.data as unknown as PendingApprovals;

const approve = ({ run_id, approvals }: PendingApprovals) =>
	getBody(
		fixture.send("POST", `/v1/runs/${run_id}/approvals/${approvals[0]?.id}`, {
			json: { decision: "approve" },
		}),
	);

it("a task waits for an approval, says where it is given, and goes on for its subscribers and receivers", async () => {
	const task = await pause({ taskPushNotificationConfig: { url: webhook.url } });
	expect(task.status.state).toBe(AUTH_REQUIRED);
	const waiting = readPendingApprovals(task);
	const [approval] = waiting.approvals;
	expect(approval).toMatchObject({ tool: "refund", arguments: { order: 7 } });
	expect(task.status.message?.parts[0]?.text).toContain(`refund (${approval?.id}).`);
	expect(task.status.message?.parts[0]?.text).toContain(
		`Decide with POST …/runs/${waiting.run_id}/approvals/`,
	);
	const listed = await call<{ tasks: A2aTask[] }>(fixture, "ListTasks", { status: AUTH_REQUIRED }, { agent });
	expect(listed.result.tasks.map(({ id }) => id)).toEqual([task.id]);
	await expect.poll(() => webhook.states().at(-1)).toBe(AUTH_REQUIRED);
	const stream = readStream(await openStream(fixture, "SubscribeToTask", { id: task.id }, { agent }));
	expect(toState((await stream.next()).value)).toBe(AUTH_REQUIRED);
	const next = stream.next();
	expect(await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 200, "waits"))])).toBe(
		"waits",
	);
	await approve(waiting);
	const states = [toState((await next).value)];
	for await (const update of stream) states.push(toState(update));
	expect(states.filter((state) => state !== undefined)).toEqual([
		"TASK_STATE_WORKING",
		"TASK_STATE_COMPLETED",
	]);
	await expect
		.poll(() => webhook.states())
		.toEqual(["TASK_STATE_WORKING", AUTH_REQUIRED, "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
});

it("a task that waits outlives a restart, and its receivers hear the rest", async () => {
	const task = await pause({ taskPushNotificationConfig: { url: webhook.url } });
	await expect.poll(() => webhook.states().at(-1)).toBe(AUTH_REQUIRED);
	const before = webhook.received.length;
	await fixture.restart();
	await approve(readPendingApprovals(task));
	await waitForState(fixture, task.id, "TASK_STATE_COMPLETED", { agent });
	await expect
		.poll(() => webhook.states().slice(before))
		.toEqual(["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
});

it("whoever may not see what it waits for learns that it waits, and may cancel it", async () => {
	const token = await fixture.makeKey();
	const task = await pause({}, token);
	expect(task.status.state).toBe(AUTH_REQUIRED);
	expect(JSON.stringify(task.status)).not.toMatch(/apr_|order/);
	const cancelled = await call<A2aTask>(fixture, "CancelTask", { id: task.id }, { agent, token });
	expect(cancelled.result.status.state).toBe("TASK_STATE_CANCELED");
});

/** A message to a task that waits. */
const answer = (task: A2aTask, parts: A2aMessage["parts"], more: { readonly token?: string } = {}) =>
	call<{ task: A2aTask }>(
		fixture,
		"SendMessage",
		{ message: toMessage("", { taskId: task.id, parts }) },
		{ agent, ...more },
	);

const toDecision = (task: A2aTask, more: object = {}): A2aMessage["parts"][number] => ({
	data: { approval_id: readPendingApprovals(task).approvals[0]?.id ?? "", decision: "approve", ...more },
});

const listCalls = (): number => server.received.filter(({ rpc }) => rpc.method === "tools/call").length;

const readDecisions = async (task: A2aTask): Promise<readonly AuditRecord[]> => {
	const { data } = await getBody<{ data: AuditRecord[] }>(fixture.send("GET", "/v1/audit"));
	return data.filter(({ target, action }) => target === task.id && action.startsWith("approval."));
};

async function makeToken(scopes: readonly string[]): Promise<string> {
	const json = { name: scopes.join(" "), scopes };
	const made = await getBody<{ id: string; client_secret: string }>(
		fixture.send("POST", "/v1/clients", { json }),
	);
	const form = new URLSearchParams({
		grant_type: "client_credentials",
		client_id: made.id,
		client_secret: made.client_secret,
	});
	const { body } = await fixture.send("POST", "/oauth/token", { form, token: null });
	return (body as { readonly access_token: string }).access_token;
}

it("a task is decided by a message with structured data, once, and the audit has who did", async () => {
	const task = await pause();
	const before = listCalls();
	const [first, second] = await Promise.all([
		answer(task, [toDecision(task)]),
		answer(task, [toDecision(task)]),
	]);
	for (const { result } of [first, second])
		expect(result.task).toMatchObject({ id: task.id, status: { state: "TASK_STATE_COMPLETED" } });
	expect(listCalls()).toBe(before + 1);
	expect(await readDecisions(task)).toMatchObject([{ action: "approval.approved" }]);
	const ended = await answer(task, [toDecision(task)]);
	expect(ended.error?.data[0]?.reason).toBe("UNSUPPORTED_OPERATION");
});

it("a denial by message reaches the model with its reason; the decision outlives a restart", async () => {
	const task = await pause();
	await fixture.restart();
	const { result } = await answer(task, [toDecision(task, { decision: "deny", reason: "Over the limit." })]);
	expect(result.task.status.state).toBe("TASK_STATE_COMPLETED");
	expect(JSON.stringify(fixture.vendor.requests.at(-1)?.body)).toContain("Over the limit.");
	expect(await readDecisions(task)).toMatchObject([{ action: "approval.denied" }]);
});

it("all decisions of a message count, or none of them", async () => {
	const task = await pause();
	const refused = await answer(task, [
		toDecision(task),
		{ data: { approval_id: "apr_99", decision: "deny" } },
	]);
	expect(refused.error).toMatchObject({ code: -32602, data: [{ metadata: { code: "approval_not_found" } }] });
	const { result } = await call<A2aTask>(fixture, "GetTask", { id: task.id }, { agent });
	expect(result.status.state).toBe(AUTH_REQUIRED);
	expect(await readDecisions(task)).toEqual([]);
	await call(fixture, "CancelTask", { id: task.id }, { agent });
});

it("other messages, and decisions of callers who may not approve, are answered, and the task keeps waiting", async () => {
	const task = await pause();
	const before = listCalls();
	const token = await makeToken(["agents:run"]);
	const spoken = await answer(task, [{ text: "Please!" }]);
	const refused = await answer(task, [toDecision(task)], { token });
	for (const [{ result }, text] of [
		[spoken, "contains no decision"],
		[refused, "may not decide"],
	] as const)
		expect(result.task.status).toMatchObject({
			state: AUTH_REQUIRED,
			message: { role: "ROLE_AGENT", parts: [{ text: expect.stringContaining(text) }, {}] },
		});
	const { result } = await call<A2aTask>(fixture, "GetTask", { id: task.id }, { agent });
	expect(result.status.state).toBe(AUTH_REQUIRED);
	expect([await readDecisions(task), listCalls()]).toEqual([[], before]);
	expect((await call(fixture, "ListTasks", { status: AUTH_REQUIRED }, { agent })).text).toContain(task.id);
	await call(fixture, "CancelTask", { id: task.id }, { agent });
});

it("a message of a client key to its waiting task is answered without what it waits for", async () => {
	const token = await fixture.makeKey();
	const task = await pause({}, token);
	const { result } = await answer(task, [{ text: "Please!" }], { token });
	expect(result.task.status.state).toBe(AUTH_REQUIRED);
	expect(JSON.stringify(result.task.status)).not.toMatch(/apr_|order/);
	await call(fixture, "CancelTask", { id: task.id }, { agent, token });
});
