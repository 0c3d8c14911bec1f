import type { DatabaseSync } from "node:sqlite";

/**
 * Brings a file to the newest version: numbered steps, forward only, all in one transaction, under the file's write
 * lock. `PRAGMA user_version` counts the steps that were done.
 *
 * @throws Error for a file that a later version of Stemma has written.
 */
export function migrate(database: DatabaseSync, migrations: readonly string[]): void {
	if (versionOf(database) === migrations.length) return;
	database.exec("BEGIN EXCLUSIVE");
	try {
		const version = versionOf(database);
		if (version > migrations.length)
			throw new Error(
				`its version is ${version}, and this Stemma knows versions up to ${migrations.length}: a later Stemma has written it. Use that one`,
			);
		for (const step of migrations.slice(version)) database.exec(step);
		database.exec(`PRAGMA user_version = ${migrations.length}`);
		database.exec("COMMIT");
	} catch (error) {
		if (database.isTransaction) database.exec("ROLLBACK");
		throw error;
	}
}

function versionOf(database: DatabaseSync): number {
	const row = database.prepare("PRAGMA user_version").get();
	return Number(row?.user_version ?? 0);
}
