import { expect, it } from "vitest";
import { openPostgresSession, type PostgresSession } from "./connection/postgres-pool";
import { migratePostgres, postgresMigrations } from "./migrate-postgres";
import { readDatabaseVersion } from "./migrations/database-version";
import { describeOnPostgres } from "./test-support/describe-on-postgres";
import { APPLICATION, OWNER } from "./test-support/test-server";

describeOnPostgres("migrations", (database) => {
	async function withOwner<Result>(work: (owner: PostgresSession) => Promise<Result>): Promise<Result> {
		const owner = await openPostgresSession(database.toUrl(OWNER));
		try {
			return await work(owner);
		} finally {
			await owner.close();
		}
	}
	const drop = "drop schema if exists stemma cascade; drop schema if exists stemma_deployment cascade";

	it("create all tables in an empty database, and change nothing the second time", () =>
		withOwner(async (owner) => {
			await owner.query(drop);
			expect(await readDatabaseVersion(owner)).toEqual({ applied: 0, required: 0 });
			await migratePostgres(owner, APPLICATION);
			await migratePostgres(owner, APPLICATION);
			expect(await readDatabaseVersion(owner)).toEqual({
				applied: postgresMigrations.length,
				required: postgresMigrations.at(-1)?.compatibleWith,
			});
		}));

	it("are done once where several instances start at once", async () => {
		await withOwner((owner) => owner.query(drop));
		await Promise.all([1, 2, 3].map(() => withOwner((owner) => migratePostgres(owner, APPLICATION))));
		const { rows } = await withOwner((owner) =>
			owner.query(
				"select version from stemma_deployment.migrations union all select version from stemma_deployment.compatible_migrations order by version",
			),
		);
		expect(rows).toEqual(postgresMigrations.map((_, index) => ({ version: index + 1 })));
	});

	it("bring a database up to date that the version before their rules has created", () =>
		withOwner(async (owner) => {
			await migratePostgres(owner, APPLICATION);
			const migrated = await readDatabaseVersion(owner);
			await owner.query("drop table stemma_deployment.compatible_migrations");
			await owner.query("alter table stemma_deployment.instances drop column database_version");
			expect(await readDatabaseVersion(owner)).toEqual({ applied: 2, required: 2 });
			await migratePostgres(owner, APPLICATION);
			expect(await readDatabaseVersion(owner)).toEqual(migrated);
		}));

	it("refuse a database of a later version, and leave it as it is", () =>
		withOwner(async (owner) => {
			await migratePostgres(owner, APPLICATION);
			await owner.query("insert into stemma_deployment.migrations (version) values (1000)");
			await expect(migratePostgres(owner, APPLICATION)).rejects.toMatchObject({ code: "storage_version" });
			expect(await readDatabaseVersion(owner)).toEqual({ applied: 1000, required: 1000 });
			await owner.query("delete from stemma_deployment.migrations where version = 1000");
		}));

	it("let the application's role change rows, and no table", async () => {
		await withOwner((owner) => migratePostgres(owner, APPLICATION));
		const client = await database.pool.connect();
		try {
			await client.query(
				"insert into stemma_deployment.workspaces (id, name, created_at) values ('ws_1', '', 0)",
			);
			for (const statement of [
				"alter table stemma.workspace_identity disable row level security",
				"drop table stemma.workspace_identity",
				"create table stemma.mine (id text)",
			])
				await expect(client.query(statement)).rejects.toThrow(/must be owner|permission denied/);
		} finally {
			client.release();
		}
	});
});
