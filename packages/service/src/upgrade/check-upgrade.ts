import { rm } from "node:fs/promises";
import { join } from "node:path";
import { requireFreeSpace } from "../archives/require-free-space";
import { assertDataFolder, type DeploymentPlace } from "../store/data-folder/assert-data-folder";
import { isLocked } from "../store/data-folder/data-folder-lock";
import { copyDatabase, summarizeDatabase } from "../store/sqlite/open-snapshots";
import { migrateDatabase } from "../store/sqlite/open-upgrades";
import { StorageError } from "../store/storage-error";
import { listVersionedFiles, type VersionedFile, withWorkFolder } from "./data-folder-files";

/** Options of the commands that upgrade a data folder. */
export interface UpgradeOptions {
	/** Called before each file. */
	readonly onProgress?: ((done: number, total: number, file: string) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
}

/** Migrations of one file, as they were tried on a copy. */
export interface TriedFile extends Omit<VersionedFile, "path"> {
	/** Time that its migrations took; 0 where it has none. */
	readonly milliseconds: number;
	/** Code and message of an error that keeps it from being upgraded. */
	readonly problem?: { readonly code: string; readonly message: string };
}

export interface UpgradeCheck {
	readonly folder: string;
	/** A service runs on it: it must be stopped for the upgrade. */
	readonly isServed: boolean;
	readonly files: readonly TriedFile[];
	/** Bytes that the upgrade takes on the disk of the folder, for the snapshot to go back to. */
	readonly snapshotBytes: number;
}

/**
 * Tries the migrations of a data folder on copies, and changes nothing, also while a service runs on it.
 *
 * @throws ConfigurationError `data_folder_missing`; StorageError where the deployment's file cannot be read; ArchiveError
 * `archive_no_space` where the disk has no room for a copy.
 */
export async function checkUpgrade(
	place: DeploymentPlace,
	options: UpgradeOptions = {},
): Promise<UpgradeCheck> {
	assertDataFolder(place);
	const { data: folder } = place;
	const files = await listVersionedFiles(folder);
	const tried: TriedFile[] = [];
	for (const file of files) {
		options.signal?.throwIfAborted();
		options.onProgress?.(tried.length, files.length, file.file);
		tried.push(await tryMigrations(folder, file, options));
	}
	const snapshotBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
	return { folder, isServed: isLocked(folder), files: tried, snapshotBytes };
}

async function tryMigrations(
	folder: string,
	{ path, ...file }: VersionedFile,
	{ signal }: UpgradeOptions,
): Promise<TriedFile> {
	if (file.from === file.to) return { ...file, milliseconds: 0 };
	// The copy, and what its migrations write.
	requireFreeSpace(folder, 2 * file.bytes, `Trying the migrations of ${file.file}`);
	return withWorkFolder(folder, async (work) => {
		const copy = join(work, "copy.sqlite");
		try {
			await copyDatabase(path, copy, { signal });
			const startedAt = performance.now();
			migrateDatabase(copy, file.kind);
			const milliseconds = Math.ceil(performance.now() - startedAt);
			await rm(`${copy}-wal`, { force: true });
			assertSound(file.file, copy);
			return { ...file, milliseconds };
		} catch (error) {
			if (!StorageError.is(error)) throw error;
			return { ...file, milliseconds: 0, problem: { code: error.code, message: error.message } };
		}
	});
}

/** @throws StorageError `storage_corrupt` */
export function assertSound(file: string, path: string): void {
	const { damage } = summarizeDatabase(path, false);
	if (damage.length === 0) return;
	throw new StorageError(`The file ${file} is damaged: ${damage.join("; ")}.`, {
		code: "storage_corrupt",
		hint: "Restore the file from a backup before the upgrade.",
	});
}
