import { DatabaseSync } from "node:sqlite";
import { createSemaphore } from "@stemma/core/internal";
import { Kysely } from "kysely";
import type { Database } from "../../store/database";
import type { JobFile } from "../../store/job-file";
import { runJob } from "../../store/jobs";
import { addMigrationFunctions } from "../../store/migrate";
import { openForWriting, toSqliteFile, toThreadFailure } from "../../store/sqlite-file";
import { toStorageError } from "../../store/storage-error";
import { createThreadDialect, type Execute } from "../../store/worker-threads/thread-dialect";
import type { SqlRow } from "../../store/worker-threads/thread-protocol";

/** A database in memory and in this thread: the threads of the real one exist only where they were built. */
export function openMemoryDatabase<Tables>(
	migrations: readonly string[],
): Database<Tables> & { readonly file: JobFile } {
	const database = new DatabaseSync(":memory:");
	database.exec("PRAGMA foreign_keys = ON");
	addMigrationFunctions(database);
	for (const step of migrations) database.exec(step);
	return toDatabase(database);
}

/** A real file, opened for writing as the service opens it, in this thread. */
export const openFileDatabase = <Tables>(path: string, migrations: readonly string[]): Database<Tables> =>
	toDatabase(openForWriting(path, migrations).database);

function toDatabase<Tables>(database: DatabaseSync): Database<Tables> & { readonly file: JobFile } {
	const executeRaw: Execute = async (sql, parameters) => {
		const statement = database.prepare(sql);
		if (statement.columns().length > 0) {
			const rows = statement.all(...parameters) as SqlRow[];
			return { rows, changes: rows.length, insertId: undefined };
		}
		const { changes, lastInsertRowid } = statement.run(...parameters);
		return { rows: [], changes: Number(changes), insertId: BigInt(lastInsertRowid) };
	};
	const execute: Execute = (sql, parameters) =>
		executeRaw(sql, parameters).catch((error: unknown) => {
			throw toStorageError(toThreadFailure(error));
		});
	const file = toSqliteFile(database);
	const mutex = createSemaphore(1);
	const queries = new Kysely<Tables>({ dialect: createThreadDialect(execute, mutex) });
	// Copies go both ways, as with threads.
	const run: Database<Tables>["writeJob"] = (name, input) =>
		mutex.run(async () => structuredClone(runJob(file, name, structuredClone(input))));
	return {
		read: queries,
		write: queries,
		readJob: run,
		writeJob: run,
		close: async () => database.close(),
		closeAndReject: async () => database.close(),
		file,
	};
}
