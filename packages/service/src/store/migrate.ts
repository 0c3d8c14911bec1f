import type { DatabaseSync } from "node:sqlite";
import { toSlug } from "../validation/slug";

/**
 * Brings a file to the newest version: numbered steps, forward only, all in one transaction, under the file's write
 * lock. `PRAGMA user_version` counts the steps that were done.
 *
 * @throws FileVersionError `storage_version` for a file that a later version of Stemma has written.
 */
export function migrate(database: DatabaseSync, migrations: readonly string[]): void {
	if (readVersion(database) === migrations.length) return;
	addMigrationFunctions(database);
	database.exec("BEGIN EXCLUSIVE");
	try {
		const version = readVersion(database);
		if (version > migrations.length) throw laterVersionError(version, migrations.length);
		for (const step of migrations.slice(version)) database.exec(step);
		database.exec(`PRAGMA user_version = ${migrations.length}`);
		database.exec("COMMIT");
	} catch (error) {
		if (database.isTransaction) database.exec("ROLLBACK");
		throw error;
	}
}

/** Adds the functions of SQL that migrations use. */
export function addMigrationFunctions(database: DatabaseSync): void {
	database.function("to_slug", { deterministic: true }, (name) => toSlug(String(name)));
}

/** A file cannot be used as it is. */
export class FileVersionError extends Error {
	constructor(
		message: string,
		readonly details: { readonly code: string; readonly hint: string },
	) {
		super(message);
	}
}

/** A later version of Stemma has written the file, and this one would spoil it. */
const laterVersionError = (found: number, known: number): FileVersionError =>
	new FileVersionError(
		`a later version of Stemma wrote it (file version ${found}; this Stemma supports up to ${known})`,
		{
			code: "storage_version",
			hint: "Start the later version of Stemma, or restore the data folder from a backup of this version.",
		},
	);

/**
 * Refuses a database without tables, in the place of one that had some.
 *
 * @throws FileVersionError `storage_missing`.
 */
export function assertHasTables(database: DatabaseSync): void {
	if (readVersion(database) > 0) return;
	throw new FileVersionError("it is empty", {
		code: "storage_missing",
		hint: "Restore the file from a backup: an empty one would hide what was lost.",
	});
}

/** Reads the number of migration steps that were done; 0 for a file without tables. */
export function readVersion(database: DatabaseSync): number {
	const row = database.prepare("PRAGMA user_version").get();
	return Number(row?.user_version ?? 0);
}
