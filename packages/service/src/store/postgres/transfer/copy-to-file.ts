import { sql, type Transaction } from "kysely";
import { prepareDatabaseFile } from "../../data-folder/private-files";
import type { Database } from "../../database";
import { toVectorTables, VECTOR_SLOTS } from "../../sqlite/knowledge/search/vector-slots";
import { COPIED_TABLES, SEQUENCES } from "../../sqlite/transfer/exported-tables";
import { listColumns, openInsertion, type Row } from "../../sqlite/transfer/row-lines";
import { openForWriting, type SqliteFile } from "../../sqlite-file";
import { type WorkspaceTables, workspaceMigrations } from "../../workspace-tables";
import { ownRows } from "../own-rows-plugin";
import { parseVectorText } from "./vector-text";

/** Rows that are in memory at once; a chunk of a content has up to 256 KiB. */
const ROWS_PER_FETCH = 100;

const VECTOR_TABLES = VECTOR_SLOTS.map((slot) => toVectorTables(slot).vectors as string);

/**
 * Copies a workspace into a new SQLite file, as it is at one moment, also while a service writes to it.
 *
 * @param signal - stops between two tables.
 */
export async function copyWorkspaceToFile(
	{ read }: Pick<Database<WorkspaceTables>, "read">,
	workspaceId: string,
	path: string,
	signal?: AbortSignal,
): Promise<void> {
	prepareDatabaseFile(path);
	const file = openForWriting(path, workspaceMigrations);
	try {
		file.database.exec("PRAGMA foreign_keys = OFF; BEGIN; DELETE FROM word_index_moves");
		file.prepare("INSERT INTO workspace_identity (id) VALUES (?)").run(workspaceId);
		await read
			.transaction()
			.setIsolationLevel("repeatable read")
			.execute(async (transaction) => {
				for (const table of COPIED_TABLES) {
					signal?.throwIfAborted();
					await copyTable(transaction, file, table);
				}
				await copyCounters(transaction, file);
			});
		file.database.exec("COMMIT");
	} finally {
		file.close();
	}
}

async function copyTable(
	transaction: Transaction<WorkspaceTables>,
	file: SqliteFile,
	table: string,
): Promise<void> {
	const isOfVectors = VECTOR_TABLES.includes(table);
	const columns = listColumns(file, table).map(({ name }) =>
		isOfVectors && name === "vector" ? sql`vector::text AS vector` : sql.ref(name),
	);
	const insert = openInsertion(file, table);
	await sql`
		DECLARE copied_rows NO SCROLL CURSOR FOR
		SELECT ${sql.join(columns)} FROM ${sql.table(table)} WHERE ${ownRows(table)}`.execute(transaction);
	for (;;) {
		const { rows } = await sql<Row>`FETCH ${sql.lit(ROWS_PER_FETCH)} FROM copied_rows`.execute(transaction);
		for (const row of rows)
			insert(isOfVectors ? { ...row, vector: parseVectorText(String(row.vector)) } : row);
		if (rows.length < ROWS_PER_FETCH) break;
	}
	await sql`CLOSE copied_rows`.execute(transaction);
}

/** Copies how far numbers were given, so that none is used twice. */
async function copyCounters(transaction: Transaction<WorkspaceTables>, file: SqliteFile): Promise<void> {
	const tables = file
		.prepare<{ readonly name: string }>(
			"SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'",
		)
		.all();
	for (const { name } of tables) {
		const last = await readLastNumber(transaction, name);
		file.prepare(`DELETE FROM ${SEQUENCES} WHERE name = ?`).run(name);
		file.prepare(`INSERT INTO ${SEQUENCES} (name, seq) VALUES (?, ?)`).run(name, last);
	}
}

/** Reads the last number that the table of all workspaces has given. */
export async function readLastNumber(
	transaction: Transaction<WorkspaceTables>,
	table: string,
): Promise<number> {
	const { rows: sequences } = await sql<{ readonly name: string }>`
		SELECT pg_get_serial_sequence(${table}, 'number') AS name`.execute(transaction);
	const { rows } = await sql<{ readonly last: number }>`
		SELECT last_value AS last FROM ${sql.raw(sequences[0]?.name ?? "")}`.execute(transaction);
	return rows[0]?.last ?? 0;
}
