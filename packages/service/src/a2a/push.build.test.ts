import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { A2aAgentCard, A2aPushConfig, A2aTask } from "@stemma/client/a2a";
import * as built from "@stemma/service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sendTo } from "../test-support/send-request";
import { fetchToken, TEST_ENCRYPTION, toTestConfiguration } from "../test-support/test-deployment";
import {
	type A2aFixture,
	call,
	sendMessage,
	startA2aFixture,
	toMessage,
	waitForState,
} from "./test-support/a2a-fixture";
import { startWebhook, type Webhook } from "./test-support/webhook";

let fixture: A2aFixture;
let webhook: Webhook;
beforeEach(async () => {
	webhook = await startWebhook();
	fixture = await startA2aFixture(built);
});
afterEach(() => Promise.all([fixture.close(), webhook.close()]));

const silence = { kind: "silence" } as const;
const CREATE = "CreateTaskPushNotificationConfig";
const TOKEN = "token-of-the-receiver-0815";
const CREDENTIALS = "credentials-of-the-receiver-4711";

const toConfig = (more: object = {}) => ({
	url: webhook.url,
	token: TOKEN,
	authentication: { scheme: "Bearer", credentials: CREDENTIALS },
	...more,
});

/** Starts a task whose news are pushed. */
const sendPushed = (): Promise<A2aTask> =>
	sendMessage(fixture, toMessage(), {
		configuration: { returnImmediately: true, taskPushNotificationConfig: toConfig() },
	});

const waitForNotifications = (state: string) => expect.poll(() => webhook.states().at(-1)).toBe(state);

function readFiles(folder: string): string {
	const paths = readdirSync(folder, { recursive: true, withFileTypes: true });
	return paths
		.filter((entry) => entry.isFile())
		.map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
		.join("\n");
}

describe("push configurations", () => {
	it("are set, read, listed and deleted, and give no secret back", async () => {
		fixture.vendor.enqueue(silence);
		const { id: taskId } = await sendMessage(fixture, toMessage());
		const created = await call<A2aPushConfig>(fixture, CREATE, { taskId, id: "mine", ...toConfig() });
		expect(created.result).toEqual({
			id: "mine",
			taskId,
			url: webhook.url,
			authentication: { scheme: "Bearer" },
		});
		const key = { taskId, id: "mine" };
		const read = await call<A2aPushConfig>(fixture, "GetTaskPushNotificationConfig", key);
		expect(read.result).toEqual(created.result);
		const list = () =>
			call<{ configs: A2aPushConfig[] }>(fixture, "ListTaskPushNotificationConfigs", { taskId });
		expect((await list()).result.configs).toEqual([created.result]);
		await fixture.restart();
		expect((await list()).result.configs).toEqual([created.result]);
		expect(readFiles(fixture.folder)).not.toMatch(new RegExp(`${TOKEN}|${CREDENTIALS}`));
		await call(fixture, "DeleteTaskPushNotificationConfig", key);
		expect((await list()).result.configs).toEqual([]);
	});

	it("are told of what happens, with their secrets", async () => {
		const { id } = await sendPushed();
		await waitForNotifications("TASK_STATE_COMPLETED");
		expect(webhook.states()).toEqual(["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
		expect(webhook.received[1]?.headers).toMatchObject({
			authorization: `Bearer ${CREDENTIALS}`,
			"x-a2a-notification-token": TOKEN,
		});
		expect(webhook.received[1]?.notification).toHaveProperty("task.id", id);
	});

	it.each([
		["http://receiver.example/news", "insecure_push_url"],
		["http://169.254.169.254/latest", "blocked_address"],
		["http://10.0.0.7/news", "blocked_address"],
		["http://[::ffff:10.0.0.7]/news", "blocked_address"],
		["http://metadata.google.internal/", "blocked_address"],
		[`https://receiver.example/${"x".repeat(2000)}`, "push_url_too_long"],
	])("may not be %.60s", async (url, code) => {
		fixture.vendor.enqueue(silence);
		const { id: taskId } = await sendMessage(fixture, toMessage());
		const created = await call(fixture, CREATE, { taskId, url });
		expect(created.error).toMatchObject({
			code: -32602,
			data: expect.arrayContaining([expect.objectContaining({ metadata: { code } })]),
		});
		const configuration = { taskPushNotificationConfig: { url } };
		const sent = await call(fixture, "SendMessage", { message: toMessage(), configuration });
		expect(sent.error?.code).toBe(-32602);
		const { result } = await call<{ totalSize: number }>(fixture, "ListTasks", {});
		expect(result.totalSize).toBe(1);
	});

	it.each(["later", "at the same moment"])("come with a message that is sent again, %s", async (when) => {
		fixture.vendor.enqueue(silence);
		const message = toMessage();
		const send = (more: object) =>
			sendMessage(fixture, message, { configuration: { returnImmediately: true, ...more } });
		const again = { taskPushNotificationConfig: toConfig() };
		const first = send({});
		if (when === "later") await first;
		const tasks = await Promise.all([first, send(again), send(again), send(again)]);
		const [{ id }] = tasks;
		expect(new Set(tasks.map((task) => task.id))).toEqual(new Set([id]));
		await call(fixture, "CancelTask", { id });
		await waitForNotifications("TASK_STATE_CANCELED");
	});

	it("of a task that the caller does not see are not there", async () => {
		const key = await fixture.makeKey();
		const { id } = await sendMessage(fixture, toMessage(), { token: key });
		for (const taskId of [id, "run_1"])
			expect((await call(fixture, CREATE, { taskId, ...toConfig() })).error?.code).toBe(-32001);
	});

	it("end with the client that has set them", async () => {
		fixture.vendor.enqueue(silence);
		const json = { name: "another", scopes: ["agents:run"] };
		const { body } = await fixture.send("POST", "/v1/clients", { json });
		const { id: client_id, client_secret } = body as { id: string; client_secret: string };
		const token = await fetchToken(sendTo(fetch, undefined, fixture.url()), { client_id, client_secret });
		const configuration = { returnImmediately: true, taskPushNotificationConfig: toConfig() };
		const { id } = await sendMessage(fixture, toMessage(), { token, configuration });
		await waitForNotifications("TASK_STATE_WORKING");
		await fixture.send("DELETE", `/v1/clients/${client_id}`);
		await call(fixture, "CancelTask", { id });
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(webhook.states()).toEqual(["TASK_STATE_WORKING"]);
	});

	it("are not offered without an encryption key, and the card says so", async () => {
		await fixture.restart({ encryption: { keys: [] } });
		const { id: taskId } = await sendMessage(fixture, toMessage());
		expect((await call(fixture, CREATE, { taskId, ...toConfig() })).error?.code).toBe(-32003);
		const { body } = await fixture.send("GET", "/a2a/desk/.well-known/agent-card.json");
		expect((body as A2aAgentCard).capabilities.pushNotifications).toBe(false);
	});
});

describe("a receiver that was down", () => {
	it("is told after a restart of the service", async () => {
		webhook.respondWith(503);
		const { id } = await sendPushed();
		await waitForState(fixture, id, "TASK_STATE_COMPLETED");
		await expect.poll(() => webhook.received.length).toBeGreaterThan(0);
		await fixture.stop();
		webhook.respondWith(204);
		await fixture.start();
		await waitForNotifications("TASK_STATE_COMPLETED");
	});

	it("is not called where it may not be any more: loopback, once there is another tenant", async () => {
		webhook.respondWith(503);
		await sendPushed();
		await expect.poll(() => webhook.received.length).toBeGreaterThan(0);
		await fixture.stop();
		const content = { encryption: TEST_ENCRYPTION };
		const service = await built.createService(toTestConfiguration(built, fixture.folder, content));
		await service.createWorkspace("another");
		await service.close(0);
		webhook.respondWith(200);
		const count = webhook.received.length;
		await fixture.start();
		await new Promise((resolve) => setTimeout(resolve, 500));
		expect(webhook.received).toHaveLength(count);
		await fixture.restart({ outbound: { allow: ["127.0.0.1"] } });
		await waitForNotifications("TASK_STATE_COMPLETED");
	});

	it("is told after the encryption key was exchanged", async () => {
		webhook.respondWith(503);
		await sendPushed();
		await expect.poll(() => webhook.received.length).toBeGreaterThan(0);
		await fixture.stop();
		const after = { id: "after", key: { value: Buffer.alloc(32, 9).toString("base64") } };
		const both = { keys: [after, ...TEST_ENCRYPTION.keys] };
		const configuration = toTestConfiguration(built, fixture.folder, { encryption: both });
		expect(await built.rotateKeys(configuration)).toMatchObject({ reencrypted: 1, undecryptable: [] });
		webhook.respondWith(200);
		await fixture.start({ encryption: { keys: [after] } });
		await waitForNotifications("TASK_STATE_COMPLETED");
		expect(webhook.received.at(-1)?.headers.authorization).toBe(`Bearer ${CREDENTIALS}`);
	});
});

describe("a service that is killed", () => {
	it("goes on with the tasks that it has cut off, tells receivers of their end, and has the same task for the same message", async () => {
		await fixture.stop();
		const kill = await fixture.startInProcess();
		fixture.vendor.enqueue(silence);
		const message = toMessage("Once.");
		const taskPushNotificationConfig = toConfig();
		const configuration = { returnImmediately: true, taskPushNotificationConfig };
		const { id } = await sendMessage(fixture, message, { configuration });
		await waitForNotifications("TASK_STATE_WORKING");
		await kill();
		fixture.vendor.enqueue({ kind: "reply", text: "Once more." });
		await fixture.start();
		await waitForNotifications("TASK_STATE_COMPLETED");
		const { result } = await call<A2aTask>(fixture, "GetTask", { id });
		expect(result).toMatchObject({
			status: { state: "TASK_STATE_COMPLETED" },
			artifacts: [{ parts: [{ text: "Once more." }] }],
		});
		expect((await sendMessage(fixture, message)).id).toBe(id);
		const file =
			readdirSync(join(fixture.folder, "workspaces")).find((name) => name.endsWith(".sqlite")) ?? "";
		const database = new DatabaseSync(join(fixture.folder, "workspaces", file), { readOnly: true });
		const [{ tasks, runs } = {}] = database
			.prepare("SELECT (SELECT count(*) FROM a2a_tasks) AS tasks, (SELECT count(*) FROM runs) AS runs")
			.all();
		database.close();
		expect([tasks, runs]).toEqual([1, 1]);
	});
});
