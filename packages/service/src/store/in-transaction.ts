import type { JobFile } from "./job-file";

/** All of it, or nothing. */
export const inTransaction = <Result>(file: JobFile, work: () => Result): Result =>
	runInTransaction(file, "BEGIN IMMEDIATE", work);

/**
 * All of it, or nothing, without waiting for the disk: for what nobody was promised. After a power failure the transaction
 * may be gone, with all that came after it; the next one of {@link inTransaction} writes it to the disk, too.
 */
export function inUnsyncedTransaction<Result>(file: JobFile, work: () => Result): Result {
	file.database.exec("PRAGMA synchronous = NORMAL");
	try {
		return inTransaction(file, work);
	} finally {
		file.database.exec("PRAGMA synchronous = FULL");
	}
}

/** Reads the file as it is at the first statement, whatever is written meanwhile. */
export const inSnapshot = <Result>(file: JobFile, work: () => Result): Result =>
	runInTransaction(file, "BEGIN", work);

function runInTransaction<Result>({ database }: JobFile, begin: string, work: () => Result): Result {
	database.exec(begin);
	try {
		const result = work();
		database.exec("COMMIT");
		return result;
	} catch (error) {
		// A full disk has rolled back by itself.
		if (database.isTransaction) database.exec("ROLLBACK");
		throw error;
	}
}
