import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostgres } from "@stemma/simulators/postgres/postgres-server";
import { packTar, unpackTar } from "modern-tar";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { DatabaseConfiguration } from "../configuration/configuration";
import { createKeyring } from "../encryption/keyring";
import { Secret } from "../encryption/secret";
import { createEncryptionKey } from "../encryption/test-support/encrypted-workspace";
import { inspectDatabase } from "../store/postgres/inspect-database";
import { startPostgresStores } from "../store/postgres/open-stores";
import { createPostgresDatabase, createPostgresDeployment } from "../store/postgres/postgres-database";
import { describeOnPostgres } from "../store/postgres/test-support/describe-on-postgres";
import { createWorkspaceStore } from "../store/repositories/workspace-store";
import type { DatabaseManifest } from "./backup-manifest";
import { createBackup } from "./create-backup";
import { restoreBackup } from "./restore-backup";
import { createPostgresFixture, type PostgresFixture } from "./test-support/postgres-fixture";

const ID = "ws_00000000000000000000000001";
const SECRET = "a secret of a tool";
const BINDING = { workspaceId: ID, purpose: "secret:orders", address: "https://orders.example" };
const TIMESTAMPS = { created_at: 1, updated_at: 1, updated_by: "cl_1" };
const AUDIT = { actor: "cl_1", action: "secret.set", target: "orders" } as const;
const key = createEncryptionKey("first");
const TABLE = "stemma.workspace_secrets";

/** Query for the rights of roles, and for what protects the rows: of each table, sequence and schema. */
const READ_RIGHTS = `
select n.nspname as schema, c.relname as name, c.relkind as kind, pg_get_userbyid(c.relowner) as owner,
	c.relacl::text as rights, n.nspacl::text as schema_rights, c.relrowsecurity as is_on, c.relforcerowsecurity as is_forced,
	(select string_agg(polname || pg_get_expr(polqual, polrelid) || pg_get_expr(polwithcheck, polrelid), ',')
		from pg_policy where polrelid = c.oid) as policies
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname in ('stemma', 'stemma_deployment') order by 1, 2, 3`;
const COUNT_SCHEMAS = "select count(*)::integer as schemas from pg_namespace where nspname like 'stemma%'";

describeOnPostgres("a backup", (database) => {
	let root: string;
	let file: string;
	let fixture: PostgresFixture;
	let target: DatabaseConfiguration;
	/** A backup that was made once: it takes seconds. */
	let whole: Buffer;
	beforeAll(async () => {
		fixture = await createPostgresFixture(database);
		const { write } = createPostgresDeployment(database.pool);
		await write.insertInto("workspaces").values({ id: ID, name: "Harbour", created_at: 1 }).execute();
		const queries = createPostgresDatabase(database.pool, ID);
		await queries.write.insertInto("workspace_identity").values({ id: ID }).execute();
		const value = createKeyring([key]).encrypt(new Secret(SECRET), BINDING);
		const secret = { name: "orders", server_url: BINDING.address, value, ...TIMESTAMPS };
		await createWorkspaceStore(queries).secrets.replace("orders", () => ({ secret, audit: AUDIT }));
		vi.stubEnv("POSTGRES_BIN", findPostgres());
		const folder = mkdtempSync(join(tmpdir(), "stemma-backup-"));
		await createBackup({ data: folder, database: fixture.source }, join(folder, "whole.tar"));
		whole = readFileSync(join(folder, "whole.tar"));
		rmSync(folder, { recursive: true });
		vi.unstubAllEnvs();
	});
	afterAll(() => fixture.remove());
	beforeEach(async () => {
		vi.stubEnv("POSTGRES_BIN", findPostgres());
		root = mkdtempSync(join(tmpdir(), "stemma-backup-"));
		file = join(root, "backup.tar");
		target = await fixture.createEmpty();
	});
	afterEach(() => {
		vi.unstubAllEnvs();
		rmSync(root, { recursive: true, force: true });
	});

	const back = (options = {}) => createBackup({ data: root, database: fixture.source }, file, options);
	const restore = (options = {}, keys = [key]) =>
		restoreBackup(file, { database: target, encryption: { keys } }, options);
	const expectRefusal = async (restored: Promise<unknown>, code: string): Promise<void> => {
		await expect(restored).rejects.toMatchObject({ code });
		expect(await fixture.administer(target, COUNT_SCHEMAS)).toEqual([{ schemas: 0 }]);
	};

	it("restores to the same rows, rights and protection, and is served", async () => {
		const { manifest } = await back();
		expect(manifest).toMatchObject({ storage: "postgres", encryption_keys: [{ id: "first", values: 1 }] });
		expect(manifest.parts).toMatchObject([{ path: "database.dump", tables: { [TABLE]: 1 } }]);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		expect(readdirSync(root)).toEqual(["backup.tar"]);
		expect(await restore()).toMatchObject({ manifest });
		expect(await inspectDatabase(target)).toEqual(await inspectDatabase(fixture.source));
		expect(await fixture.administer(target, READ_RIGHTS)).toEqual(
			await fixture.administer(fixture.source, READ_RIGHTS),
		);
		const stores = await startPostgresStores({ url: target.url, poolSize: 2 });
		const workspace = await stores.openWorkspace({ id: ID, isKnown: true, onDamage: () => undefined });
		const [stored] = await workspace.ciphertexts.list(ID);
		expect(
			createKeyring([key])
				.decrypt(stored?.envelope ?? "", BINDING)
				?.reveal(),
		).toBe(SECRET);
		await stores.stop();
		const again = await createBackup({ data: root, database: target }, join(root, "again.tar"));
		expect(again.manifest.parts[0]?.tables).toEqual(manifest.parts[0]?.tables);
	});

	it("is of one moment, while others write", async () => {
		const { write } = createPostgresDeployment(database.pool);
		let [written, isWriting] = [0, true];
		const toRow = (number: number) => ({
			id: `usr_${number}`,
			email: `${number}@example.org`,
			created_at: 1,
		});
		const writers = Array.from({ length: 5 }, async () => {
			while (isWriting) await write.insertInto("users").values(toRow(written++)).execute();
		});
		await expect.poll(() => written).toBeGreaterThan(20);
		const before = written - writers.length;
		const { manifest } = await back();
		const after = written;
		await expect.poll(() => written).toBeGreaterThan(after + 20);
		isWriting = false;
		await Promise.all(writers);
		// A restoration compares the counts.
		await restore();
		const users = manifest.parts[0]?.tables["stemma_deployment.users"];
		expect(users).toBeGreaterThanOrEqual(before);
		expect(users).toBeLessThan(written);
	});

	it("keeps an instance that starts meanwhile waiting", async () => {
		writeFileSync(file, whole);
		const started: ReturnType<typeof startPostgresStores>[] = [];
		let calls = 0;
		await restore({
			onProgress() {
				calls += 1;
				// The dump is checked first, then restored.
				if (calls === 2) started.push(startPostgresStores(target));
			},
		});
		for (const stores of await Promise.all(started)) await stores.stop();
		expect(started).toHaveLength(1);
		const tables = `select count(*)::integer as rows from ${TABLE}`;
		expect(await fixture.administer(target, tables)).toEqual([{ rows: 1 }]);
	});

	it("tells the programs of Postgres no password on their command line, and no setting of the service", async () => {
		const bin = join(root, "bin");
		const log = join(root, "log");
		mkdirSync(bin);
		for (const name of ["pg_dump", "pg_restore"])
			writeFileSync(
				join(bin, name),
				`#!/bin/sh\nif [ "$1" != --version ]; then echo "$@" >>${log}; env | sed s/PGPASSWORD=.*/given/ >>${log}; fi\nexec ${findPostgres()}/${name} "$@"\n`,
				{ mode: 0o700 },
			);
		vi.stubEnv("POSTGRES_BIN", bin);
		vi.stubEnv("STEMMA_ENCRYPTION_KEY", "a key");
		const withPassword = ({ url, ownerUrl, backupUrl }: DatabaseConfiguration): DatabaseConfiguration => {
			const add = (secret: Secret = url) => new Secret(secret.reveal().replace("@", ":pass%20word@"));
			return { url: add(), ownerUrl: add(ownerUrl), backupUrl: add(backupUrl), poolSize: 2 };
		};
		await createBackup({ data: root, database: withPassword(fixture.source) }, file);
		target = withPassword(target);
		await restore();
		const text = readFileSync(log, "utf8");
		expect(text.match(/^given$/gm)).toHaveLength(2);
		expect(text).not.toMatch(/pass(?: |%20)word|STEMMA_/);
	});

	describe("that cannot be made", () => {
		const expectNone = async (work: Promise<unknown>, code: string): Promise<void> => {
			await expect(work).rejects.toMatchObject({ code });
			expect(readdirSync(root)).toEqual([]);
		};

		it("needs a role that sees all rows", async () => {
			const { backupUrl: _, ...withOwner } = fixture.source;
			const { ownerUrl: __, ...withoutOwner } = withOwner;
			for (const source of [withOwner, withoutOwner])
				await expectNone(createBackup({ data: root, database: source }, file), "database_unsuitable");
		});

		it("needs pg_dump, of the version of the server at least", async () => {
			vi.stubEnv("POSTGRES_BIN", join(root, "nowhere"));
			await expectNone(back(), "postgres_tools_missing");
			const bin = mkdtempSync(join(tmpdir(), "stemma-bin-"));
			writeFileSync(join(bin, "pg_dump"), "#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n", { mode: 0o700 });
			vi.stubEnv("POSTGRES_BIN", bin);
			await expectNone(back(), "postgres_tools_outdated");
			rmSync(bin, { recursive: true });
		});

		it("is not made of a database without tables", () =>
			expectNone(createBackup({ data: root, database: target }, file), "storage_missing"));

		it("leaves nothing when it is stopped", async () => {
			for (const step of [0, 1, 2]) {
				const controller = new AbortController();
				const onProgress = (done: number): void => {
					if (done === step) controller.abort(new Error("stopped"));
				};
				await expect(back({ onProgress, signal: controller.signal })).rejects.toThrow("stopped");
				expect(readdirSync(root)).toEqual([]);
			}
		});
	});

	describe("that cannot be restored", () => {
		it("needs an empty database", async () => {
			writeFileSync(file, whole);
			await fixture.administer(target, "create table public.others (id text)");
			await expectRefusal(restore(), "database_not_empty");
			target = fixture.source;
			await expect(restore()).rejects.toMatchObject({
				code: "database_not_empty",
				message: expect.stringContaining("stemma"),
			});
			expect(await fixture.administer(target, COUNT_SCHEMAS)).toEqual([{ schemas: 2 }]);
		});

		it("needs the key of its credentials, unless it is told otherwise", async () => {
			writeFileSync(file, whole);
			await expectRefusal(restore({}, []), "encryption_key_missing");
			await expectRefusal(restore({}, [createEncryptionKey("first")]), "encryption_key_missing");
			await restore({ allowsMissingKeys: true }, []);
		});

		it("needs pg_restore, of the version of pg_dump at least", async () => {
			writeFileSync(file, whole);
			vi.stubEnv("POSTGRES_BIN", join(root, "nowhere"));
			await expectRefusal(restore(), "postgres_tools_missing");
		});

		it("is whole", async () => {
			for (const share of [0, 0.3, 0.9]) {
				writeFileSync(file, whole.subarray(0, Math.floor(whole.length * share)));
				await expectRefusal(restore(), "archive_incomplete");
			}
			const changed = Buffer.from(whole);
			changed.writeUInt8(changed.readUInt8(2_000) ^ 1, 2_000);
			writeFileSync(file, changed);
			await expectRefusal(restore(), "archive_damaged");
		});

		it("is of a database, and a database's is not of a data folder", async () => {
			writeFileSync(file, whole);
			const folder = join(root, "folder");
			await expect(restoreBackup(file, folder)).rejects.toMatchObject({ code: "archive_other_storage" });
			expect(readdirSync(root)).toEqual(["backup.tar"]);
			writeFileSync(
				file,
				await packTar([{ header: { name: "deployment.sqlite", size: 1 }, body: new Uint8Array(1) }]),
			);
			await expectRefusal(restore(), "archive_other_storage");
		});

		async function changeManifest(change: (manifest: DatabaseManifest) => object): Promise<void> {
			const [dump, manifest] = await unpackTar(whole);
			if (dump === undefined || manifest === undefined) throw new Error("The backup has two entries.");
			const text = JSON.stringify(change(JSON.parse(new TextDecoder().decode(manifest.data))));
			const body = new TextEncoder().encode(text);
			const header = { ...manifest.header, size: body.length };
			writeFileSync(
				file,
				await packTar([
					{ header: dump.header, body: dump.data },
					{ header, body },
				]),
			);
		}

		it("has the counts and the version of its manifest, or is removed again", async () => {
			await changeManifest(({ parts: [part], ...manifest }) => ({
				...manifest,
				parts: [{ ...part, tables: { ...part?.tables, [TABLE]: 7 } }],
			}));
			await expectRefusal(restore(), "archive_damaged");
			await changeManifest(({ database: origin, ...manifest }) => ({
				...manifest,
				database: { ...origin, applied_version: origin.applied_version - 1 },
			}));
			await expectRefusal(restore(), "archive_damaged");
		});

		it("is of no later version, of Stemma or of Postgres", async () => {
			await changeManifest(({ database: origin, ...manifest }) => ({
				...manifest,
				database: { ...origin, required_version: 99 },
			}));
			await expectRefusal(restore(), "archive_unsupported");
			await changeManifest(({ database: origin, ...manifest }) => ({
				...manifest,
				database: { ...origin, server_version: "99.1" },
			}));
			await expectRefusal(restore(), "database_unsuitable");
			await changeManifest(({ database: origin, ...manifest }) => ({
				...manifest,
				database: { ...origin, dump_version: 99 },
			}));
			await expectRefusal(restore(), "postgres_tools_outdated");
		});

		it("needs an owner that may create tables", async () => {
			writeFileSync(file, whole);
			target = { url: target.url, poolSize: 2 };
			await expectRefusal(restore(), "storage_unavailable");
		});

		it("leaves the database empty when it is stopped, and can be restored then", async () => {
			writeFileSync(file, whole);
			for (const call of [1, 2]) {
				const controller = new AbortController();
				let calls = 0;
				const onProgress = (): void => {
					calls += 1;
					if (calls === call) controller.abort(new Error("stopped"));
				};
				await expect(restore({ onProgress, signal: controller.signal })).rejects.toThrow("stopped");
				expect(await fixture.administer(target, COUNT_SCHEMAS)).toEqual([{ schemas: 0 }]);
			}
			await restore();
		});
	});
});
