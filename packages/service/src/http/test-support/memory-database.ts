import { DatabaseSync } from "node:sqlite";
import { createSemaphore } from "@stemma/core/internal";
import { Kysely } from "kysely";
import type { Database } from "../../store/database";
import type { Job, JobFile } from "../../store/job-file";
import { openForWriting } from "../../store/sqlite-file";
import { createThreadDialect, type Execute } from "../../store/threads/thread-dialect";
import type { SqlRow } from "../../store/threads/thread-protocol";

/** A database in memory and in this thread: the threads of the real one exist only where they were built. */
export function openMemoryDatabase<Tables>(
	migrations: readonly string[],
	jobs: { readonly [name: string]: Job } = {},
): Database<Tables> & { readonly file: JobFile } {
	const database = new DatabaseSync(":memory:");
	database.exec("PRAGMA foreign_keys = ON");
	for (const step of migrations) database.exec(step);
	return toDatabase(database, jobs);
}

/** A real file, opened for writing as the service opens it, in this thread. */
export const openFileDatabase = <Tables>(
	path: string,
	migrations: readonly string[],
	jobs: { readonly [name: string]: Job } = {},
): Database<Tables> => toDatabase(openForWriting(path, migrations).database, jobs);

function toDatabase<Tables>(
	database: DatabaseSync,
	jobs: { readonly [name: string]: Job },
): Database<Tables> & { readonly file: JobFile } {
	const execute: Execute = async (sql, parameters) => {
		const statement = database.prepare(sql);
		if (statement.columns().length > 0) {
			const rows = statement.all(...parameters) as SqlRow[];
			return { rows, changes: rows.length, insertId: undefined };
		}
		const { changes, lastInsertRowid } = statement.run(...parameters);
		return { rows: [], changes: Number(changes), insertId: BigInt(lastInsertRowid) };
	};
	const file: JobFile = { database, prepare: (sql) => database.prepare(sql) };
	const mutex = createSemaphore(1);
	const queries = new Kysely<Tables>({ dialect: createThreadDialect(execute, mutex) });
	async function runJob<Result>(name: string, input: unknown): Promise<Result> {
		const job = jobs[name];
		if (job === undefined) throw new Error(`There is no job "${name}" here.`);
		// As the threads do it: the caller knows what the job gives, and copies go both ways.
		return mutex.run(async () => structuredClone(job(file, structuredClone(input))) as Result);
	}
	return {
		read: queries,
		write: queries,
		readJob: runJob,
		writeJob: runJob,
		close: async () => database.close(),
		closeAndReject: async () => database.close(),
		file,
	};
}
