import type { A2aMessage } from "@stemma/client/a2a";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ClientCaller } from "../auth/caller";
import { createId } from "../create-id";
import { createKeyring } from "../encryption/keyring";
import { parseOutboundAllow } from "../outbound/outbound-allow";
import { createOutboundGate, type OutboundGate } from "../outbound/outbound-gate";
import { createRedactor } from "../redaction/redactor";
import { RunProcess } from "../runs/test-support/run-process";
import { describeOnPostgres } from "../store/postgres/test-support/describe-on-postgres";
import {
	startTestInstances,
	type TestInstance,
	type TestInstances,
} from "../store/postgres/test-support/test-instance";
import type { WorkspaceStore } from "../store/workspace-store";
import { createPushConfigs, type PushConfigs } from "./push-configs";
import { PushDeliveries } from "./push-deliveries";
import { startWebhook, type Webhook } from "./test-support/webhook";

const WORKING = "TASK_STATE_WORKING";
const COMPLETED = "TASK_STATE_COMPLETED";
const caller: ClientCaller = { kind: "client", id: "cl_1", workspaceId: "ws_1", scopes: ["agents:run"] };

/** Push notifications of one workspace on one instance. */
interface PushProcess {
	readonly instance: TestInstance;
	readonly store: WorkspaceStore;
	readonly process: RunProcess;
	readonly configs: PushConfigs;
	readonly deliveries: PushDeliveries;
}

describeOnPostgres("push notifications of several instances", (database) => {
	let instances: TestInstances;
	let workspaceId: string;
	let gate: OutboundGate;
	let webhook: Webhook;
	let opened: PushProcess[];
	let failures: unknown[];
	beforeEach(async () => {
		instances = await startTestInstances(database);
		workspaceId = createId("ws");
		gate = createOutboundGate({ allow: parseOutboundAllow([]), allowLoopback: true });
		webhook = await startWebhook();
		[opened, failures] = [[], []];
	});
	afterEach(async () => {
		for (const { deliveries, process } of opened) {
			await deliveries.stop();
			await process.runs.stop(0);
		}
		await Promise.all([gate.close(), webhook.close(), instances.close()]);
	});

	async function open(): Promise<PushProcess> {
		const instance = await instances.add();
		const store = await instance.openWorkspace(workspaceId);
		const process = new RunProcess(instance, store, 10);
		const encryption = { workspaceId, keyring: createKeyring([]), redactor: createRedactor() };
		const configs = createPushConfigs({ ...encryption, checkServer: async () => undefined });
		const deliveries = new PushDeliveries({
			...encryption,
			...{ pushConfigs: store.pushConfigs, tasks: store.tasks, runs: process.runs, claims: store.claims },
			outbound: gate.fetch,
			onError: (error) => failures.push(error),
			timings: { retryMs: 10, maxRetryMs: 40 },
		});
		const added = { instance, store, process, configs, deliveries };
		opened.push(added);
		return added;
	}

	/** Starts a task with a receiver, as the service does. */
	async function start({ process, store, configs, deliveries }: PushProcess): Promise<string> {
		const runnable = process.createAgent(0);
		const { id } = await process.runs.start(
			{
				...{ agent: { id: "ag_1", slug: "desk", version: 1 }, runnable, input: "Hello?", context: {} },
				...{ untrustedContext: false, background: true },
				resumeContext: { graph: runnable.graph, depth: 0, caller },
			},
			(run, admit) => {
				const message: A2aMessage = { messageId: run.id, role: "ROLE_USER", parts: [] };
				const task = { context_id: "context", message_key: run.id, status_at: 0, message };
				const config = { id: "push", taskId: run.id, url: webhook.url };
				return store.tasks.insert(run, admit, task, configs.create(caller, config, { count: 0 }));
			},
		);
		deliveries.deliver({ run_id: id, id: "push" });
		return id;
	}

	const waitUntilFinished = ({ store }: PushProcess, run_id: string) =>
		expect.poll(async () => (await store.pushConfigs.find({ run_id, id: "push" }))?.is_finished).toBe(true);

	/** Checks whether an instance delivers to the receiver of a task. */
	const isOwn = ({ store }: PushProcess, id: string): Promise<boolean> =>
		store.claims.isOwn({ kind: "push", id: JSON.stringify([id, "push"]) });

	const end = ({ process }: PushProcess): void => {
		process.say("Hello.");
		process.say(undefined);
	};

	it("are sent once, in order, though all instances see the task end", async () => {
		const [owner, other, third] = [await open(), await open(), await open()];
		const id = await start(owner);
		await expect.poll(webhook.states).toEqual([WORKING]);
		await Promise.all([other, third].map(({ deliveries }) => deliveries.resume()));
		const watching = [other, third].map(({ process }) => process.watch(id, true).ended);
		end(owner);
		await Promise.all(watching);
		await waitUntilFinished(other, id);
		expect([webhook.states(), failures]).toEqual([[WORKING, COMPLETED], []]);
	});

	it("are sent by another instance once theirs stops, and nothing twice that was taken", async () => {
		const [owner, other] = [await open(), await open()];
		const id = await start(owner);
		await expect.poll(webhook.states).toEqual([WORKING]);
		await expect
			.poll(async () => (await other.store.pushConfigs.find({ run_id: id, id: "push" }))?.delivered_seq)
			.toBeGreaterThan(0);
		await owner.deliveries.stop();
		end(owner);
		await waitUntilFinished(other, id);
		expect([webhook.states(), failures]).toEqual([[WORKING, COMPLETED], []]);
	});

	it("are sent by another instance once the lease of theirs is over, and by theirs no more", async () => {
		const [owner, other] = [await open(), await open()];
		const id = await start(owner);
		await expect
			.poll(async () => (await other.store.pushConfigs.find({ run_id: id, id: "push" }))?.delivered_seq)
			.toBeGreaterThan(0);
		await owner.instance.expire();
		await other.deliveries.resume();
		await other.process.runs.recover();
		await waitUntilFinished(other, id);
		expect(webhook.states()).toEqual([WORKING, "TASK_STATE_FAILED"]);
	});

	it("go to the receiver that is set on another instance, in place of the former", async () => {
		const [owner, other] = [await open(), await open()];
		const id = await start(owner);
		await expect.poll(webhook.states).toEqual([WORKING]);
		const replacement = await startWebhook();
		const key = { run_id: id, id: "push" };
		await other.store.pushConfigs.replace(key, (context) =>
			other.configs.create(caller, { id: "push", taskId: id, url: replacement.url }, context),
		);
		other.deliveries.deliver(key);
		await expect.poll(() => isOwn(other, id)).toBe(true);
		end(owner);
		await waitUntilFinished(other, id);
		await replacement.close();
		expect([webhook.states(), replacement.states()]).toEqual([[WORKING], [COMPLETED]]);
	});

	it("end where the receiver is deleted on another instance", async () => {
		const [owner, other] = [await open(), await open()];
		const id = await start(owner);
		const key = { run_id: id, id: "push" };
		await expect.poll(webhook.states).toEqual([WORKING]);
		other.deliveries.cancel(key);
		await other.store.pushConfigs.delete(key);
		await expect.poll(() => isOwn(owner, id)).toBe(false);
		end(owner);
		await other.process.watch(id, true).ended;
		expect([webhook.states(), failures]).toEqual([[WORKING], []]);
	});
});
