import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { writeArchive } from "../archives/write-archive";
import { assertDataFolder, type DeploymentPlace } from "../store/data-folder/assert-data-folder";
import { openPostgresBackup } from "../store/postgres/open-backup";
import type { BackupManifest } from "./backup-manifest";
import type { CreateBackupOptions } from "./backup-options";
import { addDatabase } from "./postgres/add-database";
import { addDataFolder, requireBackupSpace } from "./sqlite/add-data-folder";

/** A backup that is on the disk. */
export interface Backup {
	readonly file: string;
	readonly bytes: number;
	readonly manifest: BackupManifest;
}

/**
 * Writes a backup of a data folder or of a database, also while a service serves it. Everything that was acknowledged before the
 * call is inside. Each SQLite database is copied as it is at one moment, a Postgres database as a whole. Encryption keys are in
 * neither, and not in a backup.
 *
 * @throws ConfigurationError `data_folder_missing`, `database_unsuitable`, `postgres_tools_missing`, `postgres_tools_outdated`;
 * StorageError where a file or the database cannot be used; ArchiveError where the backup cannot be written; `signal.reason`
 * when it was stopped. Nothing is left then.
 */
export async function createBackup(
	place: DeploymentPlace,
	file: string,
	options: CreateBackupOptions = {},
): Promise<Backup> {
	const path = resolve(file);
	const manifest = await writeManifest(place, path, options);
	return { file: path, bytes: (await stat(path)).size, manifest };
}

async function writeManifest(
	place: DeploymentPlace,
	path: string,
	options: CreateBackupOptions,
): Promise<BackupManifest> {
	const { data: folder, database } = place;
	if (database === undefined) {
		assertDataFolder(place);
		return writeArchive<BackupManifest>(path, options, async (archive) => {
			requireBackupSpace(folder, dirname(path));
			return addDataFolder(folder, archive, options);
		});
	}
	return writeArchive<BackupManifest>(path, options, async (archive) => {
		const source = await openPostgresBackup(database);
		try {
			return await addDatabase(source, archive, options);
		} finally {
			await source.close();
		}
	});
}
