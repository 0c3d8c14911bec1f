import { deploymentMigrations } from "../deployment-tables";
import { readVersion } from "../migrate";
import { openForReading, openForWriting, toThreadFailure } from "../sqlite-file";
import { StorageError, toStorageError } from "../storage-error";
import { workspaceMigrations } from "../workspace-tables";

/** Kind of a database of a data folder; each has its own list of migrations. */
export type DatabaseKind = "deployment" | "workspace";

const MIGRATIONS = { deployment: deploymentMigrations, workspace: workspaceMigrations } as const;

/** Version that a database of this kind has after an upgrade. */
export const toNewestVersion = (kind: DatabaseKind): number => MIGRATIONS[kind].length;

/** Reads the version of a database; 0 for one without tables. @throws StorageError */
export function readDatabaseVersion(path: string): number {
	return withStorageErrors(path, () => {
		const file = openForReading(path);
		try {
			return readVersion(file.database);
		} finally {
			file.close();
		}
	});
}

/**
 * Brings a database to the newest version in one transaction: it is there whole, or the database is as
 * it was. No other process may have it open.
 *
 * @throws StorageError
 */
export function migrateDatabase(path: string, kind: DatabaseKind): void {
	withStorageErrors(path, () => openForWriting(path, MIGRATIONS[kind], true).close());
}

function withStorageErrors<Result>(path: string, work: () => Result): Result {
	try {
		return work();
	} catch (error) {
		if (StorageError.is(error)) throw error;
		const known = toStorageError(toThreadFailure(error), path);
		throw StorageError.is(known) ? known : notMigratableError(path, known);
	}
}

const notMigratableError = (path: string, cause: Error): StorageError =>
	new StorageError(`The file ${path} cannot be brought to this version: ${cause.message}.`, {
		code: "storage_corrupt",
		hint: "It does not have the tables that its version has. Restore it from a backup.",
		cause,
	});
