import type { Configuration } from "../configuration/configuration";
import type { RestoreBackupOptions } from "./backup-options";
import { type RestoredDatabase, restoreDatabase } from "./postgres/restore-database";
import { type RestoredFolder, restoreFolder } from "./sqlite/restore-folder";

/** A data folder or a database that was restored. */
export type RestoredBackup = RestoredFolder | RestoredDatabase;

/**
 * Restores a backup into an empty data folder or an empty database, all of it or nothing.
 *
 * @param place - a path of a data folder, or settings that name the database, with the encryption keys of the backup.
 * @throws as `restoreFolder` and `restoreDatabase` do; `archive_other_storage` for the backup of another kind of store.
 */
export async function restoreBackup(
	file: string,
	place: string | (Pick<Configuration, "encryption"> & Required<Pick<Configuration, "database">>),
	options: RestoreBackupOptions = {},
): Promise<RestoredBackup> {
	if (typeof place === "string") return restoreFolder(file, place, options);
	return restoreDatabase(file, place.database, place.encryption, options);
}
