import type { JobFile } from "../store/jobs";

/** All of it, or nothing. */
export function inTransaction<Result>({ database }: JobFile, work: () => Result): Result {
	database.exec("BEGIN IMMEDIATE");
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
