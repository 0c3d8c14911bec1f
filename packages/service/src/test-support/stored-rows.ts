import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The SQLite files of a data folder that hold something. */
export function listDatabases(folder: string): readonly string[] {
	const workspaces = join(folder, "workspaces");
	const files = existsSync(workspaces)
		? readdirSync(workspaces).filter((name) => name.endsWith(".sqlite"))
		: [];
	return [join(folder, "deployment.sqlite"), ...files.map((name) => join(workspaces, name))];
}

/** How many rows each table of a data folder has: what a refused request must not change. */
export function countStoredRows(folder: string): Readonly<Record<string, number>> {
	return Object.fromEntries(
		listDatabases(folder).flatMap((file) =>
			withDatabase(file, (database) =>
				listTables(database).map((table) => [
					`${file.slice(folder.length + 1)} ${table}`,
					Number(database.prepare(`SELECT count(*) AS count FROM "${table}"`).get()?.count),
				]),
			),
		),
	);
}

/** What SQLite finds wrong with the files of a data folder: nothing, one hopes. */
export const findDamage = (folder: string): readonly string[] =>
	listDatabases(folder).flatMap((file) =>
		withDatabase(file, (database) =>
			database
				.prepare("PRAGMA integrity_check")
				.all()
				.map((row) => String(row.integrity_check))
				.filter((text) => text !== "ok"),
		),
	);

function withDatabase<Result>(file: string, read: (database: DatabaseSync) => Result): Result {
	const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
	try {
		return read(database);
	} finally {
		database.close();
	}
}

/** Without those that the full-text indexes keep for themselves. */
const listTables = (database: DatabaseSync): readonly string[] =>
	database
		.prepare(
			"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%\\_words\\_%' ESCAPE '\\'",
		)
		.all()
		.map((row) => String(row.name));
