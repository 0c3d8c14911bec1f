import type { JobFile } from "./job-file";

/** All of it, or nothing. */
export const inTransaction = <Result>(file: JobFile, work: () => Result): Result =>
	runInTransaction(file, "BEGIN IMMEDIATE", work);

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
