import type { DatabaseSync } from "node:sqlite";

/**
 * Brings a file to the newest version: numbered steps, forward only, all in one transaction, under the file's write
 * lock. `PRAGMA user_version` counts the steps that were done.
 *
 * @throws LaterVersionError for a file that a later version of Stemma has written.
 */
export function migrate(database: DatabaseSync, migrations: readonly string[]): void {
	if (versionOf(database) === migrations.length) return;
	database.exec("BEGIN EXCLUSIVE");
	try {
		const version = versionOf(database);
		if (version > migrations.length) throw new LaterVersionError(version, migrations.length);
		for (const step of migrations.slice(version)) database.exec(step);
		database.exec(`PRAGMA user_version = ${migrations.length}`);
		database.exec("COMMIT");
	} catch (error) {
		if (database.isTransaction) database.exec("ROLLBACK");
		throw error;
	}
}

/** A later version of Stemma has written the file, and this one would spoil it. */
export class LaterVersionError extends Error {
	readonly hint = "Start the later Stemma, or restore the data folder from a backup of this one's.";

	constructor(found: number, known: number) {
		super(`a later Stemma has written it (version ${found}; this one knows up to ${known})`);
	}
}

function versionOf(database: DatabaseSync): number {
	const row = database.prepare("PRAGMA user_version").get();
	return Number(row?.user_version ?? 0);
}
