import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSemaphore } from "@stemma/core/internal";
import { Kysely } from "kysely";
import type { Database } from "../database";
import type { JobFile } from "../job-file";
import { runJob } from "../jobs";
import {
	openForReading,
	openForSearching,
	openForWriting,
	type SqliteFile,
	toThreadFailure,
} from "../sqlite-file";
import { toStorageError } from "../storage-error";
import { createThreadDialect, type Execute, noLock } from "../worker-threads/thread-dialect";

export interface FileDatabase<Tables> extends Database<Tables> {
	/** That is written to. */
	readonly file: JobFile;
	/** That reading jobs are given. */
	readonly searchFile: JobFile;
}

const toExecute =
	(file: SqliteFile): Execute =>
	async (sql, parameters) => {
		try {
			return file.execute(sql, parameters);
		} catch (error) {
			throw toStorageError(toThreadFailure(error));
		}
	};

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
			dialect: createThreadDialect(toExecute(file), lock),
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
