import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Configuration } from "../configuration/configuration";
import { createKeyring } from "../encryption/keyring";
import { Secret } from "../encryption/secret";
import { createEncryptionKey } from "../encryption/test-support/encrypted-workspace";
import { lockExclusively } from "../store/postgres/instances/instance-lock";
import { createPostgresDatabase, createPostgresDeployment } from "../store/postgres/postgres-database";
import { describeOnPostgres } from "../store/postgres/test-support/describe-on-postgres";
import { APPLICATION } from "../store/postgres/test-support/test-server";
import { createWorkspaceStore } from "../store/repositories/workspace-store";
import { ingest, space, toNewDocument } from "../store/test-support/knowledge-fixture";
import { toNewRun } from "../store/test-support/run-fixture";
import { NOON, toReceipt } from "../store/test-support/usage-contract";
import { exportWorkspace } from "./export-workspace";
import { importWorkspace } from "./import-workspace";
import { openTransferKey } from "./transfer-key";

const ID = "ws_00000000000000000000000001";
const SECRET = "a secret of a tool";
const [oldKey, newKey] = [createEncryptionKey("old"), createEncryptionKey("new")];
const BINDING = { workspaceId: ID, purpose: "secret:orders", address: "https://orders.example" };
const times = { created_at: 1, updated_at: 1, updated_by: "cl_1" };
const audit = { actor: "cl_1", action: "secret.set", target: "orders" } as const;

describeOnPostgres("a workspace that is exported and imported", (database) => {
	let root: string;
	beforeEach(() => {
		root = mkdtempSync(join(tmpdir(), "stemma-export-"));
	});
	afterEach(() => rmSync(root, { recursive: true, force: true }));

	type Deployment = Pick<Configuration, "data" | "database" | "encryption">;
	const onPostgres = (key = oldKey): Deployment => ({
		data: join(root, "uploads"),
		database: { url: new Secret(database.toUrl(APPLICATION)), poolSize: 2 },
		encryption: { keys: [key] },
	});
	const onSqlite = (key = newKey): Deployment => ({ data: join(root, "data"), encryption: { keys: [key] } });

	const openWorkspace = () => createWorkspaceStore(createPostgresDatabase(database.pool, ID));
	const openDeployment = () => createPostgresDeployment(database.pool);

	async function fill(): Promise<void> {
		const { write } = openDeployment();
		await write.insertInto("workspaces").values({ id: ID, name: "Harbour", created_at: 1 }).execute();
		await write
			.insertInto("users")
			.values({ id: "usr_1", email: "ada@example.org", created_at: 1 })
			.execute();
		const member = { workspace_id: ID, user_id: "usr_1", name: "Ada", created_at: 1 };
		await write
			.insertInto("members")
			.values({ ...member, role: "admin", status: "active" })
			.execute();
		const client = { id: "cl_1", workspace_id: ID, name: "first", scopes: "[]", created_at: 1 };
		await write
			.insertInto("clients")
			.values({ ...client, secret_hash: new Uint8Array([1, 2]) })
			.execute();
		const store = openWorkspace();
		await store.knowledge.knowledgeBases.insert(
			{
				...{ id: "kb_1", slug: "harbour", name: "Harbour", description: null, llm_provider: null },
				...{ llm_model: null, embedding: undefined, passage_count: 0, created_at: 1, updated_at: 1 },
				documents: { total: 0, queued: 0, processing: 0, ready: 0, failed: 0 },
			},
			{},
		);
		await ingest(
			store.knowledge,
			"kb_1",
			[toNewDocument("The harbour opens at nine."), toNewDocument("Boats leave at noon.")],
			[
				[0.6, -0.8],
				[1, 0],
			],
		);
		const envelope = createKeyring([oldKey]).encrypt(new Secret(SECRET), BINDING);
		const secret = { name: "orders", server_url: BINDING.address, value: envelope, ...times };
		await store.secrets.replace("orders", () => ({ secret, audit }));
		await store.runs.insert(toNewRun("run_1"), () => undefined);
		await store.runs.append({
			events: [{ type: "text.delta", runId: "run_1", seq: 1, json: '{"type":"text.delta"}' }],
			receipts: [{ ...toReceipt(NOON), runId: "run_1" }],
		});
	}

	const search = () =>
		openWorkspace().knowledge.index.search({
			...{ queries: [{ text: "When do harbours open?" }], knowledgeBases: ["kb_1"], topK: 10 },
		});

	it("goes to SQLite and back with its ids, rows, words, vectors and credentials, and is served afterwards", async () => {
		await fill();
		const found = await search();
		expect(found).toMatchObject({ passages: [{ text: "The harbour opens at nine." }] });
		const { key: transferKey } = await openTransferKey(join(root, "key"), true);
		const options = { workspace: "Harbour", transferKey };
		const toFile = (number: number): string => join(root, `${number}.tar.gz`);
		const first = await exportWorkspace(onPostgres(), toFile(1), options);
		expect(readFileSync(toFile(1)).includes(SECRET)).toBe(false);
		const imported = await importWorkspace(onSqlite(), toFile(1), { transferKey });
		expect(imported).toMatchObject({ workspaceId: ID, name: "Harbour", credentials: 1 });
		await exportWorkspace(onSqlite(), toFile(2), options);
		// An import keeps ids, which are taken as long as the workspace is there.
		const importBack = () => importWorkspace(onPostgres(newKey), toFile(2), { transferKey });
		await expect(importBack()).rejects.toMatchObject({ code: "workspace_exists" });
		await openDeployment().write.deleteFrom("workspaces").where("id", "=", ID).execute();
		await openDeployment().write.deleteFrom("users").execute();
		expect(await importBack()).toMatchObject({ credentials: 1 });
		const again = await exportWorkspace(onPostgres(newKey), toFile(3), options);
		const toParts = ({ manifest }: typeof first) =>
			manifest.parts
				// Each encryption has a nonce of its own.
				.filter(({ kind }) => kind !== "workspace_secrets")
				.map(({ path, sha256, rows }) => ({ path, sha256, rows }));
		expect(toParts(again)).toEqual(toParts(first));
		expect(again.manifest.contents).toBe(first.manifest.contents);
		expect(await search()).toEqual(found);
		await expectServed();
	});

	async function expectServed(): Promise<void> {
		const { ciphertexts, knowledge, runs, storage } = openWorkspace();
		const [found] = await ciphertexts.list(ID);
		expect(
			createKeyring([newKey])
				.decrypt(found?.envelope ?? "", BINDING)
				?.reveal(),
		).toBe(SECRET);
		expect(await storage.readBytes()).toBeGreaterThan(1_000);
		await knowledge.uploads.recover({ space, now: 5 });
		// No number is given twice.
		await ingest(knowledge, "kb_1", [toNewDocument("A third.")], [[0, 1]]);
		expect(await knowledge.knowledgeBases.find("kb_1")).toMatchObject({
			...{ passage_count: 3, documents: { total: 3, ready: 3 } },
		});
		await runs.append({ events: [], receipts: [{ ...toReceipt(NOON), runId: "run_1" }] });
		expect(await runs.listReceipts("run_1")).toHaveLength(2);
	}

	it("is not imported while a service runs", async () => {
		const lock = await lockExclusively(database.toUrl(APPLICATION));
		try {
			const importing = importWorkspace(onPostgres(), join(root, "none"));
			await expect(importing).rejects.toMatchObject({ code: "database_in_use" });
		} finally {
			await lock.release();
		}
	});
});
