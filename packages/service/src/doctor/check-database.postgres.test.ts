import { mkdtempSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resolveConfiguration } from "../configuration/resolve-configuration";
import { Secret } from "../encryption/secret";
import { openPostgresSession } from "../store/postgres/connection/postgres-pool";
import { startPostgresStores } from "../store/postgres/open-stores";
import { describeOnPostgres } from "../store/postgres/test-support/describe-on-postgres";
import { APPLICATION, OWNER } from "../store/postgres/test-support/test-server";
import { checkDataFolder } from "./check-data-folder";

describeOnPostgres("a check of the deployment", (database) => {
	let data: string;
	beforeAll(() => {
		data = mkdtempSync(join(tmpdir(), "stemma-doctor-"));
	});
	afterAll(() => rmSync(data, { recursive: true }));

	const check = async (content: object = {}, url = database.toUrl(APPLICATION)) => {
		const { problems, ...report } = await checkDataFolder(
			resolveConfiguration({ content: { data, database: { url }, ...content } }),
		);
		return { ...report, problems: problems.map(({ severity, code }) => `${severity} ${code}`) };
	};
	const change = async (sql: string): Promise<void> => {
		const owner = await openPostgresSession(database.toUrl(OWNER));
		await owner.query(sql);
		await owner.close();
	};

	it("finds nothing where all is well, and whether an instance serves it", async () => {
		const unserved = { folder: data, isServed: false, instances: [], files: [], problems: [] };
		expect(await check()).toMatchObject(unserved);
		const stores = await startPostgresStores({ url: new Secret(database.toUrl(APPLICATION)), poolSize: 2 });
		const { isServed, instances, problems } = await check();
		expect([isServed, problems]).toEqual([true, []]);
		expect(instances).toMatchObject([{ id: expect.stringMatching(/^ins_/), host: hostname() }]);
		await stores.stop();
		expect(await check()).toMatchObject(unserved);
	});

	it.each([
		"alter table stemma.workspace_identity no force row level security",
		"alter table stemma.workspace_identity disable row level security",
		"drop policy own_rows on stemma.workspace_identity",
	])("finds tables that row-level security does not protect, until a start: %s", async (statement) => {
		await change(statement);
		expect(await check()).toMatchObject({ problems: ["error database_unprotected"] });
		const url = new Secret(database.toUrl(APPLICATION));
		const ownerUrl = new Secret(database.toUrl(OWNER));
		await (await startPostgresStores({ url, ownerUrl, poolSize: 2 })).stop();
		expect(await check()).toMatchObject({ problems: [] });
	});

	it("finds a database of another version", async () => {
		await change("insert into stemma_deployment.migrations (version) values (1000)");
		expect(await check()).toMatchObject({ problems: ["error storage_version"] });
		await change("delete from stemma_deployment.migrations where version = 1000");
		await change("insert into stemma_deployment.compatible_migrations (version) values (1000)");
		expect(await check()).toMatchObject({ problems: ["warning storage_version"] });
		await change("delete from stemma_deployment.compatible_migrations where version = 1000");
		expect(await check()).toMatchObject({ problems: [] });
		await change(
			"delete from stemma_deployment.migrations; delete from stemma_deployment.compatible_migrations",
		);
		expect(await check()).toMatchObject({ problems: ["warning storage_version"] });
	});

	it("finds a role that sees everything, and a server that does not answer", async () => {
		expect(await check({}, database.toUrl("postgres"))).toMatchObject({
			problems: ["error database_unsuitable"],
		});
		expect(await check({}, "postgres://role@127.0.0.1:1/database")).toMatchObject({
			problems: ["error storage_unavailable"],
		});
	});
});
