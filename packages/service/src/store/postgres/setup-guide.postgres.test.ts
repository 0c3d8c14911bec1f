import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findPostgres } from "@stemma/simulators/postgres/postgres-server";
import { expect, it } from "vitest";
import { Secret } from "../../encryption/secret";
import { openPostgresSession } from "./connection/postgres-pool";
import { inspectDatabase } from "./inspect-database";
import { startPostgresStores } from "./open-stores";
import { describeOnPostgres } from "./test-support/describe-on-postgres";

const guide = readFileSync(new URL("../../../../../docs/postgres.md", import.meta.url), "utf8");

/** Statements of the guide, block by block: roles and database, extension, role for backups. */
const blocks = [...guide.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = ""]) => sql);

/** Commands of the guide that back up and restore, by their program. */
const commands = new Map(
	[...guide.matchAll(/^(pg_dump|createdb|pg_restore) (.*)$/gm)].map(([, program = "", options = ""]) => [
		program,
		options,
	]),
);

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
		});

		/** Runs a command of the guide, in the folder and on the server of the test. */
		async function runCommand(program: string, folder: string): Promise<void> {
			const options = (commands.get(program) ?? "")
				.replaceAll(/postgres:\/\/stemma_(\w+)@db\.example\/stemma/g, (_, role) => toUrl(`guide_${role}`))
				.replaceAll(/postgres:\/\/postgres@db\.example\/(\w+)/g, (_, name) =>
					toUrl("postgres", name.replace("stemma", "guide")),
				)
				.replaceAll("stemma_", "guide_");
			await promisify(execFile)(join(findPostgres() ?? "", program), options.split(" "), { cwd: folder });
		}

		it("backs the database up, and restores it as it was, with its protection", async () => {
			const folder = mkdtempSync(join(tmpdir(), "stemma-dump-"));
			for (const program of ["pg_dump", "createdb", "pg_restore"]) await runCommand(program, folder);
			rmSync(folder, { recursive: true });
			const restored = { url: new Secret(toUrl("guide_app", "guide_restored")), poolSize: 2 };
			await run("guide_restored", "grant connect on database guide_restored to stemma_app");
			const stores = await startPostgresStores(restored);
			const workspace = await stores.openWorkspace({ id: "ws_1", isKnown: true, onDamage: () => undefined });
			expect(await workspace.runs.list({ limit: 1 })).toEqual([]);
			await stores.stop();
			const state = await inspectDatabase(restored);
			expect(state).toEqual(await inspectDatabase({ url: new Secret(toUrl("guide_app")) }));
			expect(state).toMatchObject({ unprotectedTables: [], isServed: false });
			await run(
				"postgres",
				"drop database guide_restored with (force); drop database stemma with (force); drop role stemma_owner, stemma_app, stemma_backup",
			);
		});
	},
	{ needsVectors: true },
);
