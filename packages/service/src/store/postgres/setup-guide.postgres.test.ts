import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { Secret } from "../../encryption/secret";
import { openPostgresSession } from "./connection/postgres-pool";
import { startPostgresStores } from "./open-stores";
import { describeOnPostgres } from "./test-support/describe-on-postgres";

const guide = readFileSync(new URL("../../../../../docs/postgres.md", import.meta.url), "utf8");

/** Statements of the guide, block by block: roles and database, extension, role for backups. */
const blocks = [...guide.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = ""]) => sql);

/** The roles and the database of the guide, under names that only this test has: roles are of the whole server. */
const rename = (sql: string): string =>
	sql
		.replaceAll(/stemma_(owner|app|backup)\b/g, "guide_$1")
		.replaceAll(/\bdatabase stemma\b/g, "database guide");

const toStatements = (sql: string): readonly string[] =>
	rename(sql)
		.split(";")
		.map((statement) => statement.trim())
		.filter((statement) => statement !== "");

describeOnPostgres(
	"the guide",
	(database) => {
		/** URL of the test's database with other names in it. */
		const toUrl = (role: string, name = "guide"): string => {
			const url = new URL(database.toUrl("postgres"));
			url.username = role;
			url.pathname = `/${name}`;
			return url.href;
		};
		const run = async (name: string, sql: string): Promise<void> => {
			const superuser = await openPostgresSession(toUrl("postgres", name));
			for (const statement of toStatements(sql)) await superuser.query(statement);
			await superuser.close();
		};

		it("sets up a database that the service serves, and a role that reads all of it", async () => {
			const [roles = "", extension = "", backup = ""] = blocks;
			await run("postgres", roles);
			await run("guide", extension);
			await run("guide", backup);
			const stores = await startPostgresStores({
				url: new Secret(toUrl("guide_app")),
				ownerUrl: new Secret(toUrl("guide_owner")),
				poolSize: 2,
				needsVectorSearch: true,
			});
			await stores.openWorkspace({ id: "ws_1", isKnown: false, onDamage: () => undefined });
			await stores.stop();
			const reader = await openPostgresSession(toUrl("guide_backup"));
			await reader.query("set row_security = off");
			const { rows } = await reader.query("select id from stemma.workspace_identity");
			expect(rows).toEqual([{ id: "ws_1" }]);
			await reader.close();
			await run(
				"postgres",
				"drop database stemma with (force); drop role stemma_owner, stemma_app, stemma_backup",
			);
		});
	},
	{ needsVectors: true },
);
