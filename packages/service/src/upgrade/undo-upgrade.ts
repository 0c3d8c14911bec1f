import { readdirSync, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import type { DataFolderManifest } from "../backup/backup-manifest";
import { extractBackup } from "../backup/sqlite/extract-backup";
import { assertDataFolder, type DeploymentPlace } from "../store/data-folder/assert-data-folder";
import { lockDataFolder } from "../store/data-folder/data-folder-lock";
import { syncFolder } from "../store/data-folder/sync-folder";
import type { UpgradeOptions } from "./check-upgrade";
import { withWorkFolder } from "./data-folder-files";

/** Data folder after an upgrade was undone. */
export interface UndoneUpgrade {
	readonly folder: string;
	readonly snapshot: string;
	readonly manifest: DataFolderManifest;
}

const SNAPSHOT_NAME = /^before-upgrade-[0-9TZ-]+\.tar$/;

/** Snapshots of a data folder that upgrades have taken, the newest first. */
export const listSnapshots = (folder: string): readonly string[] =>
	readdirSync(folder)
		.filter((name) => SNAPSHOT_NAME.test(name))
		.sort()
		.reverse()
		.map((name) => join(folder, name));

/**
 * Finds the snapshot that the last upgrade has taken.
 *
 * @throws ConfigurationError `snapshot_missing`, `data_folder_missing`, `database_unsupported`
 */
export function findSnapshot(place: DeploymentPlace): string {
	assertDataFolder(place);
	const { data: folder } = place;
	const [snapshot] = listSnapshots(folder);
	if (snapshot !== undefined) return snapshot;
	throw new ConfigurationError(`The data folder "${folder}" has no snapshot of an upgrade.`, {
		code: "snapshot_missing",
		hint: "Restore a backup into another folder: stemma restore <file> --into <folder>.",
	});
}

/**
 * Puts the snapshot of the last upgrade back, in a data folder that no service uses. What was stored since is lost. If it is
 * interrupted, it can be run again: the snapshot stays.
 *
 * @throws ConfigurationError `snapshot_missing`, `data_folder_missing`, `data_folder_in_use`; ArchiveError where the
 * snapshot is damaged: nothing has changed then.
 */
export async function undoUpgrade(
	place: DeploymentPlace,
	options: UpgradeOptions = {},
): Promise<UndoneUpgrade> {
	const { data: folder } = place;
	const snapshot = findSnapshot(place);
	const lock = lockDataFolder(folder);
	try {
		return { folder, snapshot, manifest: await restoreSnapshot(snapshot, folder, options) };
	} finally {
		lock.release();
	}
}

/** Puts the databases of a snapshot in the place of those of a folder that is locked. */
export const restoreSnapshot = (
	snapshot: string,
	folder: string,
	options: UpgradeOptions = {},
): Promise<DataFolderManifest> =>
	withWorkFolder(folder, async (work) => {
		const manifest = await extractBackup(snapshot, work, options);
		options.signal?.throwIfAborted();
		for (const { path } of manifest.parts) {
			const target = join(folder, path);
			// The log of another file would be taken for its own.
			for (const suffix of ["-wal", "-shm", "-journal"]) rmSync(`${target}${suffix}`, { force: true });
			await rename(join(work, path), target);
			await syncFolder(dirname(target));
		}
		return manifest;
	});
