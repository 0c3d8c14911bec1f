import type { A2aAgentCard, A2aTask, A2aTaskList } from "@stemma/client/a2a";
import * as built from "@stemma/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getBody } from "../test-support/tenant";
import {
	type A2aFixture,
	call,
	sendMessage,
	startA2aFixture,
	toMessage,
	VERSION,
	waitForState,
} from "./test-support/a2a-fixture";
import { startWebhook, type Webhook } from "./test-support/webhook";

/** What A2A 1.0.1 asks of a whole server: credentials, scopes, what is kept, what is posted. By section. */
let fixture: A2aFixture;
let webhook: Webhook;
beforeAll(async () => {
	[fixture, webhook] = [await startA2aFixture(built), await startWebhook()];
});
afterAll(() => Promise.all([fixture?.close(), webhook?.close()]));

const CARD = "/a2a/desk/.well-known/agent-card.json";
const BLOCKING = { configuration: {} };
const send = (message = toMessage(), more: object = {}) =>
	sendMessage(fixture, message, { ...BLOCKING, ...more });

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

describe("3.3.2 Error Handling, 7.4 Server Authentication", () => {
	it.each(["POST /a2a/desk", "POST /a2a/desk/message:send", "GET /a2a/desk/tasks", `GET ${CARD}`])(
		"MUST reject missing and invalid credentials, and SHOULD name the scheme: %s",
		async (route) => {
			const [method = "", path = ""] = route.split(" ");
			for (const token of [null, "of-nobody"]) {
				const json = method === "POST" ? { json: { message: toMessage() } } : {};
				const { status, headers } = await fixture.send(method, path, { ...json, headers: VERSION, token });
				expect([status, headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Bearer/)]);
			}
		},
	);

	it("MUST refuse a caller without permission, and SHOULD say which scope is missing", async () => {
		const token = await makeToken(["knowledge:read"]);
		const { status, text } = await fixture.send("GET", "/a2a/desk/tasks", { headers: VERSION, token });
		expect([status, text]).toEqual([403, expect.stringContaining("agents:run")]);
	});

	it("SHOULD NOT distinguish tasks of others from those that do not exist", async () => {
		const task = await send();
		const token = await fixture.makeKey();
		const outcomes = [];
		for (const id of [task.id, "run_0000000000000000000000000"])
			for (const method of ["GetTask", "CancelTask", "SubscribeToTask"])
				outcomes.push((await call(fixture, method, { id }, { token })).error);
		expect(new Set(outcomes.map((error) => error?.code))).toEqual(new Set([-32001]));
	});
});

describe("3.1.4 List Tasks, 13.1 Data Access", () => {
	it("MUST be sorted by status time, the latest first, also when an older task changes", async () => {
		const contextId = "conformance";
		fixture.vendor.enqueue({ kind: "silence" });
		const slow = await sendMessage(fixture, toMessage("slow", { contextId }));
		await waitForState(fixture, slow.id, "TASK_STATE_WORKING");
		for (const text of ["b", "c"]) await send(toMessage(text, { contextId }));
		await call(fixture, "CancelTask", { id: slow.id });
		const { result } = await call<A2aTaskList>(fixture, "ListTasks", { contextId });
		const times = result.tasks.map(({ status }) => status.timestamp ?? "");
		expect(times).toEqual(times.toSorted().reverse());
		expect(result.tasks[0]?.id).toBe(slow.id);
		// Page by page the same.
		const ids: string[] = [];
		for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
			const page: A2aTaskList = (
				await call<A2aTaskList>(fixture, "ListTasks", { contextId, page_size: 1, page_token: pageToken })
			).result;
			ids.push(...page.tasks.map(({ id }) => id));
			pageToken = page.nextPageToken || undefined;
		}
		expect(ids).toEqual(result.tasks.map(({ id }) => id));
	});

	it("MUST only have tasks that the caller may see", async () => {
		await fixture.send("POST", "/v1/agents", {
			json: { graph: { nodes: [{ id: "other", kind: "coordinator" }] }, slug: "quiet" },
		});
		await send();
		const { result } = await call<A2aTaskList>(fixture, "ListTasks", {}, { agent: "quiet" });
		expect([result.tasks, result.totalSize]).toEqual([[], 0]);
	});
});

describe("3.1.7 and 4.3.3 Push Notifications, 13.2", () => {
	it("MUST attempt delivery with the credentials of the configuration", async () => {
		const authentication = { scheme: "Bearer", credentials: "of-the-receiver" };
		const task_push_notification_config = { url: webhook.url, token: "mine", authentication };
		const { result } = await call<{ task: A2aTask }>(fixture, "SendMessage", {
			message: toMessage(),
			configuration: { task_push_notification_config },
		});
		await expect.poll(() => webhook.states().at(-1)).toBe("TASK_STATE_COMPLETED");
		expect(webhook.received.at(-1)).toMatchObject({
			headers: {
				authorization: "Bearer of-the-receiver",
				"x-a2a-notification-token": "mine",
				"content-type": "application/a2a+json",
			},
			notification: { task: { id: result.task.id } },
		});
	});

	it("MUST keep a configuration until it is deleted, through a restart", async () => {
		fixture.vendor.enqueue({ kind: "silence" });
		const { id: taskId } = await sendMessage(fixture, toMessage());
		const config = { taskId, id: "kept", url: webhook.url };
		await call(fixture, "CreateTaskPushNotificationConfig", config);
		await fixture.restart();
		const get = () => call(fixture, "GetTaskPushNotificationConfig", { taskId, id: "kept" });
		expect((await get()).result).toMatchObject(config);
		for (const _ of [1, 2])
			expect(
				(await call(fixture, "DeleteTaskPushNotificationConfig", { taskId, id: "kept" })).error,
			).toBeUndefined();
		expect((await get()).error?.code).toBe(-32001);
	});

	it.each(["http://10.0.0.1/hook", "http://169.254.169.254/latest", "http://192.168.1.1/hook"])(
		"13.2 SHOULD reject addresses that are not public: %s",
		async (url) => {
			const { id: taskId } = await send();
			const { error } = await call(fixture, "CreateTaskPushNotificationConfig", { taskId, url });
			expect(error?.code).toBe(-32602);
		},
	);
});

describe("8 Agent Card", () => {
	it("declares what the server does: bindings, schemes, push, and decisions within messages", async () => {
		const card = await getBody<A2aAgentCard>(fixture.send("GET", CARD));
		expect(card.supportedInterfaces.map(({ protocolBinding }) => protocolBinding)).toEqual([
			"JSONRPC",
			"HTTP+JSON",
		]);
		expect(card.capabilities).toMatchObject({
			streaming: true,
			pushNotifications: true,
			extendedAgentCard: false,
			extensions: [{ uri: "urn:stemma:a2a:approvals:v1", required: false }],
		});
		expect(Object.keys(card.securitySchemes ?? {})).toEqual(["bearer", "oauth2", "person"]);
	});
});
