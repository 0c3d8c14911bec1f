import type { PostgresPool } from "./connection/postgres-pool";
import { DEPLOYMENT_SCHEMA, toBeginSql, WORKSPACE_SCHEMA } from "./connection/transaction-scope";
import { WORKSPACE_COLUMN, WORKSPACE_SETTING } from "./own-rows-plugin";

const LIST_TABLES = `
select c.relname as name from pg_class c
where c.relnamespace = '${WORKSPACE_SCHEMA}'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
order by c.relname`;

/**
 * Deletes all rows of a workspace in one statement, so that the order of references does not matter: they are checked
 * at its end.
 */
export async function deleteWorkspaceRows(pool: PostgresPool, workspaceId: string): Promise<void> {
	const client = await pool.connect();
	let isDone = false;
	try {
		await client.query(toBeginSql({ schema: WORKSPACE_SCHEMA, workspaceId }, "write"));
		const { rows } = await client.query(LIST_TABLES);
		const deletions = rows.map(
			({ name }, index) =>
				`deleted_${index} as (delete from "${name}" where ${WORKSPACE_COLUMN} = current_setting('${WORKSPACE_SETTING}'))`,
		);
		await client.query(`with ${deletions.join(", ")} select`);
		await client.query(
			`delete from ${DEPLOYMENT_SCHEMA}.claims where ${WORKSPACE_COLUMN} = current_setting('${WORKSPACE_SETTING}')`,
		);
		await client.query("commit");
		isDone = true;
	} finally {
		// A connection whose transaction is open is closed with it.
		client.release(!isDone);
	}
}
