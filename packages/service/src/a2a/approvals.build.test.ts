import type { A2aTask } from "@stemma/client/a2a";
import type { Approval } from "@stemma/core";
import * as built from "@stemma/service";
import { afterAll, beforeAll, expect, it } from "vitest";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { speakMcp, text } from "../../../local/src/test-support/mcp-server";
// biome-ignore lint/style/noRestrictedImports: supports of tests, which no package exports
import { useRpcServer } from "../../../local/src/test-support/rpc-server";
import { callRefund, REFUND_TOOLS, toRefundDesk } from "../test-support/refund-desk";
import { demand } from "../test-support/tenant";
import {
	type A2aStage,
	call,
	openA2aStage,
	openStream,
	readStream,
	sendMessage,
	toMessage,
	whenState,
} from "./test-support/a2a-stage";
import { startWebhook, toState, type Webhook } from "./test-support/webhook";

let stage: A2aStage;
let webhook: Webhook;
const server = useRpcServer();
beforeAll(async () => {
	webhook = await startWebhook();
	stage = await openA2aStage(built);
	server.answer(
		speakMcp({ era: "modern", tools: REFUND_TOOLS, ttlMs: 0, call: () => text("It is refunded.") }),
	);
	await demand(
		stage.send("POST", "/v1/agents", { json: { graph: toRefundDesk(server.url), slug: "refunds" } }),
	);
});
afterAll(() => Promise.all([stage?.close(), webhook?.close()]));

const agent = "refunds";
const WAITS = "TASK_STATE_INPUT_REQUIRED";

async function pause(configuration: object = {}, token?: string): Promise<A2aTask> {
	stage.vendor.enqueue(callRefund(7));
	const more = token === undefined ? {} : { token };
	return sendMessage(stage, toMessage("Refund it."), { agent, configuration, ...more });
}

interface Waiting {
	readonly run_id: string;
	readonly approvals: readonly Approval[];
}

const readWaiting = ({ status }: A2aTask): Waiting => status.message?.parts[1]?.data as unknown as Waiting;

const approve = ({ run_id, approvals }: Waiting) =>
	demand(
		stage.send("POST", `/v1/runs/${run_id}/approvals/${approvals[0]?.id}`, { json: { decision: "approve" } }),
	);

it("a task waits for an approval, says where it is given, and goes on for its subscribers and receivers", async () => {
	const task = await pause({ taskPushNotificationConfig: { url: webhook.url } });
	expect(task.status.state).toBe(WAITS);
	const waiting = readWaiting(task);
	const [approval] = waiting.approvals;
	expect(approval).toMatchObject({ tool: "refund", arguments: { order: 7 } });
	expect(task.status.message?.parts[0]?.text).toContain(
		`refund (${approval?.id}). Decide with POST …/runs/${waiting.run_id}/approvals/`,
	);
	const listed = await call<{ tasks: A2aTask[] }>(stage, "ListTasks", { status: WAITS }, { agent });
	expect(listed.result.tasks.map(({ id }) => id)).toEqual([task.id]);
	await expect.poll(() => webhook.states().at(-1)).toBe(WAITS);
	const stream = readStream(await openStream(stage, "SubscribeToTask", { id: task.id }, { agent }));
	expect(toState((await stream.next()).value)).toBe(WAITS);
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
		.toEqual(["TASK_STATE_WORKING", WAITS, "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
});

it("a task that waits outlives a restart, and its receivers hear the rest", async () => {
	const task = await pause({ taskPushNotificationConfig: { url: webhook.url } });
	await expect.poll(() => webhook.states().at(-1)).toBe(WAITS);
	const before = webhook.received.length;
	await stage.restart();
	await approve(readWaiting(task));
	await whenState(stage, task.id, "TASK_STATE_COMPLETED", { agent });
	await expect
		.poll(() => webhook.states().slice(before))
		.toEqual(["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
});

it("whoever may not see what it waits for learns that it waits, and may cancel it", async () => {
	const token = await stage.makeKey();
	const task = await pause({}, token);
	expect(task.status.state).toBe(WAITS);
	expect(JSON.stringify(task.status)).not.toMatch(/apr_|order/);
	const cancelled = await call<A2aTask>(stage, "CancelTask", { id: task.id }, { agent, token });
	expect(cancelled.result.status.state).toBe("TASK_STATE_CANCELED");
});
