import { type Kysely, sql } from "kysely";
import type { Configuration } from "../configuration/configuration";
import { openPostgresPool } from "../store/postgres/connection/postgres-pool";
import { createPostgresDatabase } from "../store/postgres/postgres-database";
import { dialectOf } from "../store/repositories/dialect-of";
import { openWorkspaceFile } from "../store/sqlite/rotation-files";
import type { WorkspaceTables } from "../store/workspace-tables";

type Deployment = Pick<Configuration, "data" | "database">;

/** Reads rows of a workspace beside the service that serves them, in its file or its database. */
export async function readStored<Result>(
	{ data, database }: Deployment,
	workspaceId: string,
	read: (queries: Kysely<WorkspaceTables>) => Promise<Result>,
): Promise<Result> {
	if (database === undefined) {
		const file = openWorkspaceFile(data, workspaceId);
		return read(file.read).finally(() => file.close());
	}
	const pool = await openPostgresPool(database.url.reveal(), 1);
	return read(createPostgresDatabase(pool, workspaceId).read).finally(() => pool.end());
}

const TABLES = {
	sqlite: sql<{ name: string }>`SELECT name FROM sqlite_schema WHERE type = 'table'`,
	postgres: sql<{ name: string }>`
		SELECT relname AS name FROM pg_class
		WHERE relnamespace = 'stemma'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
};

/** Lists the tables of a workspace that have a text. */
export const findStoredText = (
	deployment: Deployment,
	workspaceId: string,
	text: string,
): Promise<readonly string[]> =>
	readStored(deployment, workspaceId, async (queries) => {
		const { rows: tables } = await TABLES[dialectOf(queries)].execute(queries);
		const found: string[] = [];
		for (const { name } of tables) {
			const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(queries);
			if (JSON.stringify(rows).includes(text)) found.push(name);
		}
		return found;
	});
