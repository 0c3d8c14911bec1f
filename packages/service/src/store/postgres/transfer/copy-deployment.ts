import { sql } from "kysely";
import { prepareDatabaseFile } from "../../data-folder/private-files";
import type { Queries } from "../../database";
import { type DeploymentTables, deploymentMigrations } from "../../deployment-tables";
import { DEPLOYMENT_TABLES } from "../../sqlite/transfer/exported-tables";
import { openInsertion, type Row } from "../../sqlite/transfer/row-lines";
import { openForWriting } from "../../sqlite-file";

const ROWS_PER_PAGE = 1_000;

/**
 * Copies a workspace's row and what the deployment has of it into a new SQLite file; none where there is no such workspace.
 *
 * @param idOrName - an id goes before a name.
 */
export async function copyDeploymentToFile(
	{ read }: Pick<Queries<DeploymentTables>, "read">,
	idOrName: string,
	path: string,
): Promise<void> {
	const found = await read
		.selectFrom("workspaces")
		.selectAll()
		.where("deleting_at", "is", null)
		.where(({ eb, or }) => or([eb("id", "=", idOrName), eb("name", "=", idOrName)]))
		.orderBy("id")
		.execute();
	const workspace = found.find(({ id }) => id === idOrName) ?? found[0];
	prepareDatabaseFile(path);
	const file = openForWriting(path, deploymentMigrations);
	try {
		if (workspace === undefined) return;
		openInsertion(file, "workspaces")({ ...workspace });
		for (const table of DEPLOYMENT_TABLES) {
			const insert = openInsertion(file, table);
			for await (const row of listRows(read, table, workspace.id)) insert(row);
		}
	} finally {
		file.close();
	}
}

/** Iterates over the rows of a table that belong to a workspace, in pages. */
async function* listRows(
	read: Queries<DeploymentTables>["read"],
	table: (typeof DEPLOYMENT_TABLES)[number],
	workspaceId: string,
): AsyncGenerator<Row> {
	const key = sql.ref(table === "members" ? "user_id" : "id");
	const isOfWorkspace =
		table === "users"
			? sql`id IN (SELECT user_id FROM members WHERE workspace_id = ${workspaceId})`
			: sql`workspace_id = ${workspaceId}`;
	for (let after = ""; ; ) {
		const { rows } = await sql<Row & { readonly row_key: string }>`
			SELECT *, ${key} AS row_key FROM ${sql.table(table)} WHERE ${isOfWorkspace} AND ${key} > ${after}
			ORDER BY ${key} LIMIT ${ROWS_PER_PAGE}`.execute(read);
		for (const { row_key, ...row } of rows) {
			after = row_key;
			yield row;
		}
		if (rows.length < ROWS_PER_PAGE) return;
	}
}
