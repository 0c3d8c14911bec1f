import { type RawBuilder, sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { StorageError } from "../storage-error";
import { WORKSPACE_SCHEMA } from "./connection/transaction-scope";
import { createPostgresDatabase } from "./postgres-database";
import { describeOnPostgres } from "./test-support/describe-on-postgres";

/** Tables of the workspaces, and their partitions, which can be named, too. */
const listTables = (): RawBuilder<{ name: string; policies: number; is_forced: number }> => sql`
	select c.relname as name, c.relforcerowsecurity and c.relrowsecurity as is_forced,
		(select count(*) from pg_policy where polrelid = c.oid) as policies
	from pg_class c where c.relnamespace = ${WORKSPACE_SCHEMA}::regnamespace and c.relkind in ('r', 'p')`;

describeOnPostgres("the wall between workspaces", (database) => {
	const open = (id: string) => createPostgresDatabase(database.pool, id);
	beforeAll(async () => {
		for (const id of ["ws_a", "ws_b"])
			await open(id).write.insertInto("workspace_identity").values({ id }).execute();
	});
	const rawSelect = sql<{ id: string }>`select id from workspace_identity order by id`;

	it("is there for built queries", async () => {
		const { read, write } = open("ws_a");
		expect(await read.selectFrom("workspace_identity").select("id").execute()).toEqual([{ id: "ws_a" }]);
		await write.deleteFrom("workspace_identity").where("id", "=", "ws_b").execute();
		await write.updateTable("workspace_identity").set({ id: "ws_a" }).execute();
		expect(await open("ws_b").read.selectFrom("workspace_identity").selectAll().execute()).toEqual([
			{ id: "ws_b" },
		]);
	});

	it("holds in the database for what no plugin has changed", async () => {
		const { read, write } = open("ws_a");
		expect((await rawSelect.execute(read)).rows).toEqual([{ id: "ws_a" }]);
		expect((await sql`delete from workspace_identity where id = 'ws_b'`.execute(write)).numAffectedRows).toBe(
			0n,
		);
		expect(
			(await sql`update workspace_identity set id = 'c' where id = 'ws_b'`.execute(write)).numAffectedRows,
		).toBe(0n);
		await expect(
			sql`insert into workspace_identity (workspace, id) values ('ws_c', 'ws_c')`.execute(write),
		).rejects.toThrow(StorageError);
		await expect(sql`update workspace_identity set workspace = 'ws_b'`.execute(write)).rejects.toThrow(
			StorageError,
		);
		expect((await rawSelect.execute(open("ws_b").read)).rows).toEqual([{ id: "ws_b" }]);
	});

	it("is of the database for each table and partition, also against its owner", async () => {
		const { rows } = await listTables().execute(open("ws_a").read);
		expect(rows.length).toBeGreaterThan(0);
		expect(rows.filter(({ policies }) => policies !== 1)).toEqual([]);
		expect(rows.filter(({ is_forced }) => is_forced !== 1)).toEqual([]);
	});

	it("shows nothing to a connection that says no workspace", async () => {
		const client = await database.pool.connect();
		await client.query("begin; select set_config('stemma.workspace', '', true)");
		const { rows } = await client.query(`select * from ${WORKSPACE_SCHEMA}.workspace_identity`);
		await client.query("rollback");
		client.release();
		expect(rows).toEqual([]);
	});

	it("is left by no connection when its transaction has ended", async () => {
		await rawSelect.execute(open("ws_a").read);
		const client = await database.pool.connect();
		const { rows } = await client.query("select current_setting('stemma.workspace', true) as workspace");
		client.release();
		expect(rows[0]?.workspace ?? "").toBe("");
	});
});
