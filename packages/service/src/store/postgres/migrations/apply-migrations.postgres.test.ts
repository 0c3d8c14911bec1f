import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, expect, it } from "vitest";
import { openPostgresSession, type PostgresSession } from "../connection/postgres-pool";
import { openInstanceSession } from "../instances/instance-session";
import { assertServable, migratePostgres, postgresMigrations } from "../migrate-postgres";
import { describeOnPostgres } from "../test-support/describe-on-postgres";
import { APPLICATION, OWNER } from "../test-support/test-server";
import { applyMigrations, type PostgresMigration } from "./apply-migrations";
import { readDatabaseVersion } from "./database-version";

const CURRENT = postgresMigrations.length;
const NEXT = CURRENT + 1;
const ADD = "create table stemma_deployment.added (id text)";

/** Steps of the version after this one. @param compatibleWith - of its step. */
const withNext = (compatibleWith: number, sql = ADD): readonly PostgresMigration[] => [
	...postgresMigrations,
	{ sql, compatibleWith },
];

describeOnPostgres("the next version's step", (database) => {
	async function withSession<Result>(
		work: (session: PostgresSession) => Promise<Result>,
		role: typeof OWNER | "postgres" = OWNER,
	): Promise<Result> {
		const session = await openPostgresSession(database.toUrl(role));
		try {
			return await work(session);
		} finally {
			await session.close();
		}
	}
	const apply = (migrations: readonly PostgresMigration[]): Promise<boolean> =>
		withSession((owner) => applyMigrations(owner, migrations));
	const readVersion = () => withSession(readDatabaseVersion);
	const isAdded = () =>
		withSession(async ({ query }) => {
			const { rows } = await query("select to_regclass('stemma_deployment.added') as added");
			return rows[0]?.added !== null;
		});

	beforeEach(() =>
		withSession(async (owner) => {
			await owner.query("drop table if exists stemma_deployment.added");
			for (const table of ["migrations", "compatible_migrations"])
				await owner.query(`delete from stemma_deployment.${table} where version > $1`, [CURRENT]);
			await migratePostgres(owner, APPLICATION);
		}),
	);

	it("leaves the database to this version, where it only adds", async () => {
		const { required } = await readVersion();
		expect(await apply(withNext(required))).toBe(false);
		expect(await readVersion()).toEqual({ applied: NEXT, required });
		await withSession((owner) => migratePostgres(owner, APPLICATION));
		await withSession(assertServable);
		expect(await readVersion()).toEqual({ applied: NEXT, required });
		expect(await apply(postgresMigrations)).toBe(true);
	});

	it("keeps this version out, where it is compatible with none before it", async () => {
		await apply(withNext(NEXT));
		expect(await readVersion()).toEqual({ applied: NEXT, required: NEXT });
		for (const work of [(owner: PostgresSession) => migratePostgres(owner, APPLICATION), assertServable])
			await expect(withSession(work)).rejects.toMatchObject({ code: "storage_version" });
	});

	it("waits until instances have ended that could not go on with it", async () => {
		const instance = await openInstanceSession(database.toUrl(APPLICATION), {
			id: "ins_earlier",
			version: "1.0",
			databaseVersion: CURRENT,
			host: "here",
		});
		await expect(apply(withNext(NEXT))).rejects.toMatchObject({
			code: "database_in_use",
			message: expect.stringContaining("ins_earlier (here, version 1.0)"),
		});
		expect([await isAdded(), (await readVersion()).applied]).toEqual([false, CURRENT]);
		await apply(withNext(CURRENT));
		await instance.close();
		await apply([...withNext(CURRENT), { sql: "select 1", compatibleWith: NEXT }]);
		expect(await readVersion()).toEqual({ applied: NEXT + 1, required: NEXT });
	});

	it("leaves all as it was, where its connection ends in the middle, and is applied by the next start", async () => {
		const before = await readVersion();
		const killed = apply(withNext(NEXT, `${ADD}; select pg_sleep(60)`));
		killed.catch(() => undefined);
		const end =
			"select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)' and datname = current_database()";
		await expect
			.poll(async () => (await withSession(({ query }) => query(end), "postgres")).rowCount)
			.toBe(1);
		await expect(killed).rejects.toMatchObject({ code: "storage_unavailable" });
		expect([await isAdded(), await readVersion()]).toEqual([false, before]);
		await apply(withNext(NEXT));
		expect([await isAdded(), (await readVersion()).applied]).toEqual([true, NEXT]);
	});

	it("lets those go on that use its table, and is tried again", async () => {
		const { required } = await readVersion();
		const alter = "alter table stemma_deployment.workspaces alter column name set default ''";
		await withSession(async ({ query }) => {
			await query("begin; lock table stemma_deployment.workspaces in access share mode");
			const applied = apply(withNext(required, alter));
			applied.catch(() => undefined);
			// Longer than the step waits for a table.
			await wait(3_500);
			expect((await readVersion()).applied).toBe(CURRENT);
			await query("commit");
			await applied;
		});
		expect((await readVersion()).applied).toBe(NEXT);
	});
});
