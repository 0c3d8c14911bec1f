import { createSemaphore } from "@stemma/core/internal";
import { Kysely } from "kysely";
import type { JobInput, JobName, JobOutput } from "./jobs";
import { openForReading, type SqliteFile, toThreadFailure } from "./sqlite-file";
import { StorageError, toStorageError } from "./storage-error";
import { type DatabaseThread, startDatabaseThread } from "./worker-threads/database-threads";
import { createReaderPool, type ReaderPool } from "./worker-threads/reader-pool";
import { createThreadDialect, noLock } from "./worker-threads/thread-dialect";
import type { ExecuteResult, SqlValue } from "./worker-threads/thread-protocol";
import { createWriteLock, type WriteObserver } from "./write-lock";

/** Queries on one SQLite file. When the promise of a write resolves, its data is on the disk. */
export interface Queries<Tables> {
	/**
	 * Queries on committed data, which do not wait for a writer. They run in the calling thread: use them for what an
	 * index finds at once.
	 */
	readonly read: Kysely<Tables>;
	/** One statement or transaction at a time, in order. */
	readonly write: Kysely<Tables>;
}

/** One SQLite file. */
export interface Database<Tables> extends Queries<Tables> {
	/**
	 * Runs a job of `jobs.ts` in a reading thread: for what takes its time. Files take turns.
	 *
	 * @param signal - takes a job that still waits for its turn out of the queue.
	 */
	readJob<Name extends JobName>(
		job: Name,
		input: JobInput<Name>,
		signal?: AbortSignal,
	): Promise<JobOutput<Name>>;
	/** Runs a job of `jobs.ts` in the writing thread, between transactions. */
	writeJob<Name extends JobName>(job: Name, input: JobInput<Name>): Promise<JobOutput<Name>>;
	/** Closes the file before the threads end. A write after it waits for ever: nothing may want to write any more. */
	close(): Promise<void>;
	/** Closes the file while the threads keep running. Unlike after `close`, a later write fails at once. */
	closeAndReject(): Promise<void>;
}

export interface OpenOptions {
	/** Refuses a file without tables. Default false. */
	readonly mustExist?: boolean;
	/** Called each time that a statement or job finds damage (`storage_corrupt`), before its caller gets the error. */
	readonly onDamage?: ((error: StorageError) => void) | undefined;
}

/** The threads that all files of a process share. */
export interface DatabaseThreads {
	/**
	 * Opens a file, makes it where there is none, and brings its tables up to date.
	 *
	 * @param migrations - SQL, one text for each version; see `migrate`.
	 * @param options - what is expected of the file, and who is told when it turns out to be damaged.
	 * @throws StorageError when the file cannot be opened, written or read.
	 */
	open<Tables>(file: string, migrations: readonly string[], options?: OpenOptions): Promise<Database<Tables>>;
	/** Ends all threads, once what they were asked is done. */
	stop(): Promise<void>;
}

/** Starts the threads. */
export function startDatabaseThreads(observer: WriteObserver = {}): DatabaseThreads {
	const writer = startDatabaseThread("writer");
	const readers = createReaderPool();
	return {
		async open(file, migrations, { mustExist = false, onDamage } = {}) {
			await writer.call({ type: "open", file, migrations, mustExist, readOnly: false });
			try {
				return createDatabase(file, openInMainThread(file), { writer, readers, observer }, onDamage);
			} catch (error) {
				await writer.call({ type: "close", file });
				throw error;
			}
		},
		async stop() {
			await Promise.all([writer.stop(), readers.stop()]);
		},
	};
}

/** A reader does not wait for the writer, so it holds up nothing here. */
function openInMainThread(file: string): SqliteFile {
	try {
		return openForReading(file);
	} catch (error) {
		throw toStorageError(toThreadFailure(error), file);
	}
}

interface Threads {
	readonly writer: DatabaseThread;
	readonly readers: ReaderPool;
	readonly observer: WriteObserver;
}

function createDatabase<Tables>(
	file: string,
	mainThreadFile: SqliteFile,
	{ writer, readers, observer }: Threads,
	onDamage: OpenOptions["onDamage"],
): Database<Tables> {
	const mutex = createSemaphore(1);
	const lock = createWriteLock(mutex, observer);
	/** Waits for work on the file, and says so where it finds damage. */
	async function reportDamage<Result>(work: Promise<Result>): Promise<Result> {
		try {
			return await work;
		} catch (error) {
			if (error instanceof StorageError && error.code === "storage_corrupt") onDamage?.(error);
			throw error;
		}
	}
	async function executeInMainThread(sql: string, parameters: readonly SqlValue[]): Promise<ExecuteResult> {
		try {
			return mainThreadFile.execute(sql, parameters);
		} catch (error) {
			throw toStorageError(toThreadFailure(error), file);
		}
	}
	async function close(): Promise<void> {
		await lock.acquire();
		mainThreadFile.close();
		await readers.closeFile(file);
		await writer.call({ type: "close", file });
	}
	return {
		read: new Kysely<Tables>({
			dialect: createThreadDialect(
				(sql, parameters) => reportDamage(executeInMainThread(sql, parameters)),
				noLock,
			),
		}),
		write: new Kysely<Tables>({
			dialect: createThreadDialect(
				(sql, parameters) =>
					reportDamage(writer.call<ExecuteResult>({ type: "execute", file, sql, parameters })),
				lock,
			),
		}),
		readJob: (job, input, signal) => reportDamage(readers.call({ type: "job", file, job, input }, signal)),
		async writeJob(job, input) {
			await lock.acquire();
			try {
				return await reportDamage(writer.call({ type: "job", file, job, input }));
			} finally {
				lock.release();
			}
		},
		close,
		async closeAndReject() {
			await close();
			lock.release();
		},
	};
}
