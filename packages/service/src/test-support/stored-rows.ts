import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

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

/** The same, once what goes on in the background has come to rest. */
export async function countRowsWhenIdle(folder: string): Promise<Readonly<Record<string, number>>> {
	for (let last = countStoredRows(folder); ; ) {
		await wait(40);
		const now = countStoredRows(folder);
		const isIdle = !hasQueuedWork(now) && !hasPendingSyncs(folder);
		if (isIdle && JSON.stringify(now) === JSON.stringify(last)) return now;
		last = now;
	}
}

/** Documents wait to be read, or passages to be swept away. */
const hasQueuedWork = (rows: Readonly<Record<string, number>>): boolean =>
	Object.entries(rows).some(([table, count]) => / (uploads|passage_sweeps)$/.test(table) && count > 0);

/** True where a sync of a source has not ended, or is due within a second: it adds a row when it starts. */
const hasPendingSyncs = (folder: string): boolean =>
	listDatabases(folder).some((file) =>
		withDatabase(file, (database) => {
			if (!listTables(database).includes("source_syncs")) return false;
			const row = database
				.prepare(
					`SELECT (SELECT count(*) FROM source_syncs WHERE ended_at IS NULL)
						+ (SELECT count(*) FROM sources WHERE next_sync_at <= ? AND deleted_at IS NULL) AS count`,
				)
				.get(Date.now() + 1_000);
			return Number(row?.count) > 0;
		}),
	);

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

/** Without those that the full-text indexes keep for themselves, and the one that is written long after what it counts. */
const listTables = (database: DatabaseSync): readonly string[] =>
	database
		.prepare(
			"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%\\_words\\_%' ESCAPE '\\'",
		)
		.all()
		.map((row) => String(row.name))
		.filter((name) => name !== "token_budgets");
