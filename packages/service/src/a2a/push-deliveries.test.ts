import type { A2aMessage } from "@stemma/client/a2a";
import type { ChatModel } from "@stemma/core";
import { createLocalAgent, type LocalAgent } from "@stemma/local";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClientCaller } from "../auth/caller";
import { createKeyring } from "../encryption/keyring";
import { createEncryptionKey } from "../encryption/test-support/encrypted-workspace";
import { openMemoryDatabase } from "../http/test-support/memory-database";
import { parseOutboundAllow } from "../outbound/outbound-allow";
import { createOutboundGate, type OutboundGate } from "../outbound/outbound-gate";
import { createRedactor } from "../redaction/redactor";
import { Runs } from "../runs/runs";
import { createWorkspaceStore } from "../store/repositories/workspace-store";
import type { WorkspaceStore } from "../store/workspace-store";
import { type WorkspaceTables, workspaceMigrations } from "../store/workspace-tables";
import { createPushConfigs } from "./push-configs";
import { PushDeliveries, type PushTimings } from "./push-deliveries";
import { startWebhook, toState, type Webhook } from "./test-support/webhook";

/** Timings that retry at once, and leave a receiver on a busy machine the time to respond: nothing is sent twice. */
const QUICK_TIMINGS: PushTimings = {
	responseTimeoutMs: 10_000,
	retryMs: 10,
	maxRetryMs: 40,
	maxAgeMs: 60_000,
};
const caller: ClientCaller = { kind: "client", id: "cl_1", workspaceId: "ws_1", scopes: ["agents:run"] };

let database: ReturnType<typeof openMemoryDatabase<WorkspaceTables>>;
let store: WorkspaceStore;
let runs: Runs;
let gate: OutboundGate;
let webhook: Webhook;
let opened: PushDeliveries[];
let allowLoopback: boolean;
const failures: unknown[] = [];
const redactor = createRedactor();
const keyring = createKeyring([createEncryptionKey("test")]);
const encryption = { workspaceId: "ws_1", keyring, redactor };
const configs = createPushConfigs({ ...encryption, checkServer: async () => undefined });

beforeEach(async () => {
	database = openMemoryDatabase(workspaceMigrations);
	store = createWorkspaceStore(database);
	runs = openRuns();
	allowLoopback = true;
	gate = createOutboundGate({
		allow: parseOutboundAllow([]),
		get allowLoopback() {
			return allowLoopback;
		},
	});
	webhook = await startWebhook();
	opened = [];
	failures.length = 0;
});
afterEach(async () => {
	await Promise.all(opened.map((deliveries) => deliveries.stop()));
	await Promise.all([runs.stop(0), gate.close(), webhook.close()]);
});

const openRuns = (): Runs =>
	new Runs({
		repository: store.runs,
		approvals: store.approvals,
		maxConcurrentRuns: 4,
		countRunEnd: () => undefined,
		onFailure: (error) => failures.push(error),
	});

function open(times: Partial<PushTimings> = {}): PushDeliveries {
	const deliveries = new PushDeliveries({
		...encryption,
		pushConfigs: store.pushConfigs,
		tasks: store.tasks,
		runs,
		outbound: gate.fetch,
		onError: (error) => failures.push(error),
		timings: { ...QUICK_TIMINGS, ...times },
	});
	opened.push(deliveries);
	return deliveries;
}

/** Says a few words; where it never ends, until it is stopped. */
function createAgentSaying(text: string, ends = true): LocalAgent {
	const model: ChatModel = {
		provider: "scripted",
		model: "script",
		vendorHost: "",
		generate: () => Promise.reject(new Error("Only streams are used here.")),
		async *stream(_, { signal } = {}) {
			for (const word of text.split(" ")) yield { type: "text.delta", text: `${word} ` };
			if (!ends)
				await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
			yield { type: "finish", reply: { text: `${text} `, toolCalls: [], finishReason: "stop" } };
		},
	};
	const graph = { nodes: [{ id: "desk", kind: "coordinator" }] } as const;
	return createLocalAgent(graph, {
		ports: { models: { resolve: () => ({ model, payer: "none", reason: "" }) } },
	});
}

/** Starts a task with a receiver; as the service does, in one transaction. */
async function start(runnable: LocalAgent, secrets: object = {}): Promise<string> {
	const request = { agent: { id: "ag_1", slug: "desk", version: 1 }, runnable, input: "Hello?" };
	const { id } = await runs.start(
		{
			...request,
			context: {},
			untrustedContext: false,
			background: true,
			resumeContext: { graph: runnable.graph, depth: 0, caller },
		},
		(run, admit) => {
			const message: A2aMessage = { messageId: run.id, role: "ROLE_USER", parts: [] };
			const task = { context_id: "context", message_key: run.id, status_at: 0, message };
			const config = { id: "push", taskId: run.id, url: webhook.url, ...secrets };
			return store.tasks.insert(run, admit, task, configs.create(caller, config, { count: 0 }));
		},
	);
	return id;
}

/** Stores a receiver of a task that is there, as the service does. */
const put = (run_id: string, id: string): Promise<void> =>
	store.pushConfigs.replace({ run_id, id }, (context) =>
		configs.create(caller, { id, taskId: run_id, url: webhook.url }, context),
	);

const find = (run_id: string) => store.pushConfigs.find({ run_id, id: "push" });

const waitUntilFinished = (run_id: string) =>
	expect.poll(async () => (await find(run_id))?.is_finished, { interval: 5 }).toBe(true);

describe("a receiver", () => {
	it("is told nothing more once the client that set it is deleted, and its secrets are forgotten", async () => {
		webhook.respondWith(503);
		const id = await start(createAgentSaying("Open at nine."), { token: "token-0815" });
		const deliveries = open();
		deliveries.deliver({ run_id: id, id: "push" });
		await expect.poll(() => webhook.received.length).toBeGreaterThan(0);
		await deliveries.cancelAllOf("cl_another");
		expect(await find(id)).toMatchObject({ is_finished: false, secrets: expect.stringMatching(/^sealed1/) });
		await deliveries.cancelAllOf("cl_1");
		expect(await find(id)).toMatchObject({ is_finished: true, secrets: null });
		// One may be on its way.
		await new Promise((resolve) => setTimeout(resolve, 100));
		const count = webhook.received.length;
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(webhook.received).toHaveLength(count);
	});

	it("is told that the task goes on, and at the end all of it; then its secrets are forgotten", async () => {
		const authentication = { scheme: "Bearer", credentials: "credentials-4711" };
		const id = await start(createAgentSaying("Open at nine."), { token: "token-0815", authentication });
		expect((await find(id))?.secrets).toMatch(/^sealed1/);
		open().deliver({ run_id: id, id: "push" });
		await waitUntilFinished(id);
		expect(webhook.states()).toEqual(["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
		for (const { headers } of webhook.received)
			expect(headers).toMatchObject({
				"content-type": "application/a2a+json",
				"x-a2a-notification-token": "token-0815",
				authorization: "Bearer credentials-4711",
			});
		expect(webhook.received[1]?.notification).toMatchObject({
			task: { id, contextId: "context", artifacts: [{ parts: [{ text: "Open at nine. " }] }] },
		});
		expect(await find(id)).toMatchObject({ secrets: null });
		expect(redactor.redact("token-0815 credentials-4711")).toBe("**** ****");
	});

	it.each([
		["refuses", () => webhook.respondWith(503), {}],
		["redirects", () => webhook.respondWith(307), {}],
		["never answers", () => webhook.stopResponding(), { responseTimeoutMs: 700 }],
	])("that %s is told again, in order", async (_, misbehave, timings) => {
		misbehave();
		const id = await start(createAgentSaying("Hello."));
		open(timings).deliver({ run_id: id, id: "push" });
		await expect.poll(() => webhook.received.length).toBeGreaterThan(2);
		expect(new Set(webhook.states())).toEqual(new Set(["TASK_STATE_WORKING"]));
		webhook.respondWith(200);
		await waitUntilFinished(id);
		const states = webhook.states();
		expect(states.filter((state) => state === "TASK_STATE_COMPLETED")).toHaveLength(1);
		expect(states.at(-1)).toBe("TASK_STATE_COMPLETED");
		expect(failures).toEqual([]);
	});

	it("is told the rest after a restart, and nothing twice that it has taken", async () => {
		const id = await start(createAgentSaying("Hello.", false));
		const before = open();
		before.deliver({ run_id: id, id: "push" });
		await expect.poll(async () => (await find(id))?.delivered_seq).toBe(1);
		await before.stop();
		await runs.cancel(id);
		expect(webhook.states()).toEqual(["TASK_STATE_WORKING"]);
		await open().resume();
		await waitUntilFinished(id);
		expect(webhook.states()).toEqual(["TASK_STATE_WORKING", "TASK_STATE_CANCELED"]);
	});

	it("is told of the end that a crash has made", async () => {
		const id = await start(createAgentSaying("Half of", false));
		await expect
			.poll(
				async () => (await database.read.selectFrom("runs").select("last_seq").executeTakeFirst())?.last_seq,
			)
			.toBe(4);
		// As after a crash: nothing of the old process goes on.
		runs = openRuns();
		await runs.recover();
		await open().resume();
		await waitUntilFinished(id);
		expect(webhook.states()).toEqual(["TASK_STATE_WORKING", "TASK_STATE_FAILED"]);
		expect(webhook.received[1]?.notification).toMatchObject({
			task: { artifacts: [{ parts: [{ text: "Half of " }] }] },
		});
	});

	it("is given up at last, and the operator hears of it", async () => {
		webhook.respondWith(500);
		const id = await start(createAgentSaying("Hello."));
		open({ maxAgeMs: 50 }).deliver({ run_id: id, id: "push" });
		await waitUntilFinished(id);
		expect(failures).toHaveLength(1);
		expect(String(failures[0])).toContain("did not accept");
		const count = webhook.received.length;
		await open().resume();
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(webhook.received).toHaveLength(count);
	});

	it("that is gone is told nothing more", async () => {
		webhook.respondWith(410);
		const id = await start(createAgentSaying("Hello."));
		open().deliver({ run_id: id, id: "push" });
		await waitUntilFinished(id);
		expect(webhook.states()).toEqual(["TASK_STATE_WORKING"]);
		expect(failures).toEqual([]);
	});

	it("that may not be called any more is not called", async () => {
		const id = await start(createAgentSaying("Hello."));
		allowLoopback = false;
		open().deliver({ run_id: id, id: "push" });
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(webhook.received).toEqual([]);
		allowLoopback = true;
		await waitUntilFinished(id);
		expect(webhook.states()).toEqual(["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
	});

	it("whose secrets no key opens is told nothing, and the operator why", async () => {
		const id = await start(createAgentSaying("Hello."), { token: "token-0815" });
		await database.write
			.updateTable("a2a_push_configs")
			.set({ url: `${webhook.url}&moved` })
			.execute();
		open().deliver({ run_id: id, id: "push" });
		await expect.poll(() => failures.length).toBeGreaterThan(0);
		await new Promise((resolve) => setTimeout(resolve, 60));
		expect(failures.map(String)).toEqual([expect.stringContaining("encryption.keys")]);
		expect(webhook.received).toEqual([]);
	});

	it("of a task that is over already is told how it ended", async () => {
		const id = await start(createAgentSaying("Hello."));
		open().deliver({ run_id: id, id: "push" });
		await waitUntilFinished(id);
		await put(id, "late");
		open().deliver({ run_id: id, id: "late" });
		await expect.poll(() => webhook.received.length).toBe(3);
		expect(toState(webhook.received[2]?.notification ?? ({} as never))).toBe("TASK_STATE_COMPLETED");
	});

	it("is told nothing more once it is deleted", async () => {
		webhook.respondWith(500);
		const id = await start(createAgentSaying("Hello."));
		const deliveries = open();
		deliveries.deliver({ run_id: id, id: "push" });
		await expect.poll(() => webhook.received.length).toBeGreaterThan(0);
		deliveries.cancel({ run_id: id, id: "push" });
		await new Promise((resolve) => setTimeout(resolve, 20));
		const count = webhook.received.length;
		webhook.respondWith(200);
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(webhook.received).toHaveLength(count);
	});
});

it("a task has ten at the most, and each of the same id in place of the one before", async () => {
	const id = await start(createAgentSaying("Hello.", false));
	for (let number = 0; number < 9; number++) await put(id, `${number}`);
	await put(id, "3");
	await expect(put(id, "eleventh")).rejects.toMatchObject({ code: "too_many_push_configs" });
});
