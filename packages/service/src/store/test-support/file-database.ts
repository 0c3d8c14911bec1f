import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSemaphore } from "@stemma/core/internal";
import { Kysely } from "kysely";
import type { Database } from "../database";
import type { JobFile } from "../job-file";
import { runJob } from "../jobs";
import { openForReading, openForSearching, openForWriting, type SqliteFile } from "../sqlite-file";
import { createThreadDialect, noLock } from "../threads/thread-dialect";

export interface FileDatabase<Tables> extends Database<Tables> {
	/** That is written to. */
	readonly file: JobFile;
	/** That reading jobs are given. */
	readonly searchFile: JobFile;
}

/** A file in a folder of its own, opened as the threads open it, but in this thread: they exist only where they were built. */
export function openFileDatabase<Tables>(migrations: readonly string[]): FileDatabase<Tables> {
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

	async function close(): Promise<void> {
		for (const file of [searchFile, reader, writer]) file.close();
		rmSync(folder, { recursive: true });
	}

	return {
		read: toQueries(reader),
		write: toQueries(writer, mutex),
		// Copies go both ways, as with threads.
		readJob: async (name, input) => structuredClone(runJob(searchFile, name, structuredClone(input))),
		writeJob: (name, input) =>
			mutex.run(async () => structuredClone(runJob(writer, name, structuredClone(input)))),
		close,
		closeAndReject: close,
		file: writer,
		searchFile,
	};
}
