import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSemaphore } from "@stemma/core/internal";
import { Kysely } from "kysely";
import type { Database } from "../database";
import type { Job, JobFile } from "../job-file";
import { openForReading, openForSearching, openForWriting, type SqliteFile } from "../sqlite-file";
import { createThreadDialect, noLock } from "../threads/thread-dialect";

export interface FileDatabase<Tables> extends Database<Tables> {
	/** That is written to. */
	readonly file: JobFile;
	/** That reading jobs are given. */
	readonly searchFile: JobFile;
}

/** A file in a folder of its own, opened as the threads open it, but in this thread: they exist only where they were built. */
export function openFileDatabase<Tables>(
	migrations: readonly string[],
	jobs: { readonly [name: string]: Job },
): FileDatabase<Tables> {
	const folder = mkdtempSync(join(tmpdir(), "stemma-database-"));
	const path = join(folder, "test.sqlite");
	const writer = openForWriting(path, migrations);
	// Nothing here outlives a crash of the machine.
	writer.database.exec("PRAGMA synchronous = OFF");
	const reader = openForReading(path);
	const searchFile = openForSearching(path);
	const mutex = createSemaphore(1);
	const toQueries = (file: SqliteFile, lock = noLock) =>
		new Kysely<Tables>({
			dialect: createThreadDialect(async (sql, parameters) => file.execute(sql, parameters), lock),
		});

	async function runJob<Result>(file: JobFile, name: string, input: unknown): Promise<Result> {
		const job = jobs[name];
		if (job === undefined) throw new Error(`There is no job "${name}" here.`);
		// As the threads do it: the caller knows what the job gives, and copies go both ways.
		return structuredClone(job(file, structuredClone(input))) as Result;
	}

	async function close(): Promise<void> {
		for (const file of [searchFile, reader, writer]) file.close();
		rmSync(folder, { recursive: true });
	}

	return {
		read: toQueries(reader),
		write: toQueries(writer, mutex),
		readJob: (name, input) => runJob(searchFile, name, input),
		writeJob: (name, input) => mutex.run(() => runJob(writer, name, input)),
		close,
		closeAndReject: close,
		file: writer,
		searchFile,
	};
}
