import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createId } from "../../create-id";
import { createKeyring } from "../../encryption/keyring";
import { createByteBudget } from "../../fairness/byte-budget";
import { createKnowledge } from "../../knowledge/knowledge";
import { inProcessReader } from "../../knowledge/test-support/memory-knowledge";
import { createRedactor } from "../../redaction/redactor";
import { openSpool } from "../../store/data-folder/spool";
import { describeOnPostgres } from "../../store/postgres/test-support/describe-on-postgres";
import { startTestInstances, type TestInstances } from "../../store/postgres/test-support/test-instance";
import { createWorkspaceSecrets } from "../../workspace-secrets/workspace-secrets";
import type { SourceItem } from "../connectors/connector";
import { createSourceSyncs } from "../source-syncs";
import { createRunningSyncs } from "./running-syncs";
import { createSyncQueue } from "./sync-queue";
import { createSyncScheduler } from "./sync-scheduler";

const ITEMS = 6;

const toItem = (number: number): SourceItem => ({
	...{ kind: "content", key: `${number}.txt`, version: "1", fileName: `${number}.txt`, title: null },
	...{ url: null, mediaType: null, bytes: new TextEncoder().encode(`Item ${number}.`) },
});

describeOnPostgres("the syncs of several instances", (database) => {
	let instances: TestInstances;
	let workspaceId: string;
	let folder: string;
	let endings: (() => Promise<unknown>)[];
	let failures: unknown[];
	beforeEach(async () => {
		instances = await startTestInstances(database);
		workspaceId = createId("ws");
		folder = await mkdtemp(join(tmpdir(), "stemma-shared-syncs-"));
		[endings, failures] = [[], []];
	});
	afterEach(async () => {
		for (const end of endings.splice(0)) await end();
		await instances.close();
		await rm(folder, { recursive: true });
	});

	/** Opens the syncs of one instance. @param held - its scans wait for it in the middle. */
	async function open(held: Promise<void> = Promise.resolve()) {
		const instance = await instances.add();
		const store = await instance.openWorkspace(workspaceId);
		const claims = store.claims;
		const onError = (error: unknown): void => void failures.push(error);
		const knowledge = createKnowledge({
			...{ repositories: store.knowledge, claims, reader: inProcessReader, onError },
		});
		const encryption = { workspaceId, keyring: createKeyring([]), redactor: createRedactor() };
		const secrets = createWorkspaceSecrets({
			...{ repository: store.secrets, checkServer: async () => undefined, ...encryption },
		});
		const running = createRunningSyncs(claims);
		const workspace = { id: workspaceId, store, knowledge, secrets, syncs: running };
		let scans = 0;
		const disk = { assertSpace: () => undefined };
		const budget = createByteBudget({
			...{ totalBytes: 1e9, workspaceBytes: 1e9, name: "bytes", settings: { total: "", workspace: "" } },
		});
		const scheduler = createSyncScheduler({
			listWorkspaces: () => [workspace],
			queue: createSyncQueue(),
			async *scan() {
				scans += 1;
				for (let number = 0; number < ITEMS / 2; number += 1) yield toItem(number);
				await held;
				for (let number = ITEMS / 2; number < ITEMS; number += 1) yield toItem(number);
			},
			gate: { fetch: () => Promise.reject(new Error("Nothing is fetched here.")) },
			keyring: encryption.keyring,
			spool: await openSpool(await mkdtemp(join(folder, "data-")), { budget, disk, onError }),
			disk,
			limits: { uploadBytes: 1e6, storageBytes: 1e12 },
			countSync: () => undefined,
			onError,
		});
		const parts = { sources: store.sources, syncs: store.syncs, running };
		const syncs = createSourceSyncs({ ...parts, knowledgeBases: store.knowledge.knowledgeBases });
		endings.push(async () => {
			await scheduler.stop();
			await running.stop();
			await knowledge.stop();
		});
		await knowledge.start();
		return {
			instance,
			store,
			knowledge,
			syncs,
			look: () => scheduler.wake(workspace),
			countScans: () => scans,
		};
	}

	type SyncProcess = Awaited<ReturnType<typeof open>>;

	async function addSource({ store, knowledge, syncs }: SyncProcess) {
		const base = (await knowledge.createKnowledgeBase({ name: "Handbook" })).id;
		const id = createId("src");
		await store.sources.insert(
			{
				...{ id, knowledge_base_id: base, name: "Docs", credential: null, every_minutes: null },
				...{ settings: { kind: "folder", path: "/docs" }, next_sync_at: null, created_at: 1, updated_at: 1 },
			},
			2,
			{ audit: { actor: "cl_1", action: "source.created", target: id } },
		);
		await syncs.sync(base, id, {});
		return { base, id };
	}

	const getSync = async ({ syncs }: SyncProcess, { base, id }: { base: string; id: string }) =>
		(await syncs.listSyncs(base, id, { limit: 1 }))[0];

	it("run on one of them", async () => {
		const processes = [await open(), await open(), await open()];
		const [first] = processes;
		if (first === undefined) return;
		const source = await addSource(first);
		for (const { look } of processes) look();
		await expect.poll(async () => (await getSync(first, source))?.status).toBe("succeeded");
		expect(processes.reduce((sum, { countScans }) => sum + countScans(), 0)).toBe(1);
		expect(failures).toEqual([]);
	});

	it("go on where their instance has ended", async () => {
		const held = Promise.withResolvers<void>();
		endings.push(async () => held.resolve());
		const [lost, other] = [await open(held.promise), await open()];
		const source = await addSource(lost);
		lost.look();
		await expect.poll(lost.countScans).toBe(1);
		other.look();
		await expect.poll(async () => (await getSync(other, source))?.status).toBe("running");
		expect(other.countScans()).toBe(0);
		await lost.instance.expire();
		other.look();
		const succeeded = { status: "succeeded", counts: { added: ITEMS } };
		await expect.poll(() => getSync(other, source)).toMatchObject(succeeded);
		held.resolve();
		await other.knowledge.waitUntilIdle();
		const documents = await other.knowledge.listDocuments(source.base, { limit: 99 });
		expect(documents).toHaveLength(ITEMS);
		expect([await getSync(other, source), failures]).toMatchObject([succeeded, []]);
	});

	it("are cancelled by another instance", async () => {
		const held = Promise.withResolvers<void>();
		endings.push(async () => held.resolve());
		const [working, other] = [await open(held.promise), await open()];
		const source = await addSource(working);
		working.look();
		await expect.poll(working.countScans).toBe(1);
		await other.syncs.cancelSync(source.base, source.id);
		expect((await getSync(other, source))?.status).toBe("cancelled");
		const { claims } = working.store;
		const sync = (await getSync(other, source))?.id ?? "";
		held.resolve();
		await expect.poll(() => claims.isOwn({ kind: "sync", id: sync })).toBe(false);
		expect(await other.knowledge.listDocuments(source.base, { limit: 99 })).toEqual([]);
	});
});
