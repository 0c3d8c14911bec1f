import { join } from "node:path";
import { StemmaError } from "@stemma/core/errors";
import { clock } from "@stemma/core/internal";
import { createBackup } from "../backup/create-backup";
import { releaseBallastIfFull } from "../storage/ballast";
import { assertDataFolder, type DeploymentPlace } from "../store/data-folder/assert-data-folder";
import { type DataFolderLock, lockDataFolder } from "../store/data-folder/data-folder-lock";
import { migrateDatabase } from "../store/sqlite/open-upgrades";
import { assertSound, checkUpgrade, type TriedFile, type UpgradeOptions } from "./check-upgrade";
import { listVersionedFiles, type VersionedFile } from "./data-folder-files";
import { restoreSnapshot } from "./undo-upgrade";

/** Data folder after an upgrade. */
export interface Upgrade {
	readonly folder: string;
	readonly files: readonly TriedFile[];
	/** Backup of the folder as it was; `undefined` where there was nothing to do. */
	readonly snapshot?: string;
}

/** An upgrade was not done. Codes: `upgrade_impossible`, `upgrade_failed`. The folder is as it was. */
export class UpgradeError extends StemmaError {}

/**
 * Upgrades the databases of a data folder that no service uses: tries the migrations on copies, takes a snapshot, migrates,
 * and checks the result. Where anything fails, the snapshot is put back.
 *
 * @throws ConfigurationError `data_folder_missing`, `data_folder_in_use`; UpgradeError; ArchiveError where the snapshot
 * cannot be written; `signal.reason` when it was stopped before the first migration.
 */
export async function upgradeDataFolder(
	place: DeploymentPlace,
	options: UpgradeOptions = {},
): Promise<Upgrade> {
	assertDataFolder(place);
	const { data: folder } = place;
	return withLock(folder, async () => {
		releaseBallastIfFull(folder);
		const { files } = await checkUpgrade(place, options);
		if (files.every(({ from, to }) => from === to)) return { folder, files };
		for (const { file, problem } of files)
			if (problem !== undefined) throw impossibleError(file, problem.message);
		const snapshot = toSnapshotFile(folder);
		await createBackup(place, snapshot, { signal: options.signal });
		options.signal?.throwIfAborted();
		await migrateAll(folder, snapshot);
		return { folder, files, snapshot };
	});
}

/** Runs work while no service can use a folder. @throws ConfigurationError `data_folder_in_use` */
export async function withLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
	const lock: DataFolderLock = lockDataFolder(folder);
	try {
		return await work();
	} finally {
		lock.release();
	}
}

const SNAPSHOT_PREFIX = "before-upgrade-";

const toSnapshotFile = (folder: string): string =>
	join(folder, `${SNAPSHOT_PREFIX}${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, "-")}.tar`);

async function migrateAll(folder: string, snapshot: string): Promise<void> {
	const files = await listVersionedFiles(folder);
	try {
		for (const { path, kind, from, to } of files) if (from !== to) migrateDatabase(path, kind);
		for (const file of files) assertUpgraded(file);
	} catch (error) {
		await restoreSnapshot(snapshot, folder);
		throw new UpgradeError(
			`The upgrade failed, and the data folder is as it was. ${error instanceof Error ? error.message : String(error)}`,
			{
				code: "upgrade_failed",
				hint: "Solve what is in the way and run the same command again. The snapshot is kept in the data folder.",
				cause: error,
			},
		);
	}
}

/** The last connection has closed the file: it has no log. */
function assertUpgraded({ file, path, from, to }: VersionedFile): void {
	if (from !== to) assertSound(file, path);
}

const impossibleError = (file: string, message: string): UpgradeError =>
	new UpgradeError(`${file} cannot be upgraded. ${message}`, {
		code: "upgrade_impossible",
		hint: "Nothing was changed. `stemma doctor` says more about the file.",
	});
