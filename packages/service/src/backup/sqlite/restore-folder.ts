import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { rename, rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ConfigurationError } from "@stemma/core/errors";
import { lockDataFolder } from "../../store/data-folder/data-folder-lock";
import { DATABASE_SUFFIXES, preparePrivateFolder } from "../../store/data-folder/private-files";
import { syncFolder } from "../../store/data-folder/sync-folder";
import type { DataFolderManifest } from "../backup-manifest";
import type { RestoreBackupOptions } from "../backup-options";
import { extractBackup } from "./extract-backup";

/** A data folder that was restored. */
export interface RestoredFolder {
	readonly folder: string;
	readonly manifest: DataFolderManifest;
}

/**
 * Restores a backup into an empty folder, once all of it was checked: hashes, integrity, counts.
 *
 * @throws ConfigurationError `data_folder_not_empty`, `data_folder_in_use`; ArchiveError where the archive cannot be used;
 * `signal.reason` when it was stopped. The folder is empty then.
 */
export async function restoreFolder(
	file: string,
	into: string,
	{ onProgress, signal }: RestoreBackupOptions = {},
): Promise<RestoredFolder> {
	const folder = resolve(into);
	const isNew = lstatSync(folder, { throwIfNoEntry: false }) === undefined;
	assertEmpty(folder);
	preparePrivateFolder(folder);
	let isRestored = false;
	try {
		const lock = lockDataFolder(folder);
		const staging = join(folder, `.restoring-${randomUUID()}`);
		try {
			mkdirSync(staging, { mode: 0o700 });
			const manifest = await extractBackup(file, staging, { onProgress, signal });
			signal?.throwIfAborted();
			await moveIntoPlace(staging, folder);
			isRestored = true;
			return { folder, manifest };
		} finally {
			await rm(staging, { recursive: true, force: true });
			lock.release();
		}
	} finally {
		if (!isRestored) await removeOwnFiles(folder, isNew);
	}
}

function assertEmpty(folder: string): void {
	const status = lstatSync(folder, { throwIfNoEntry: false });
	if (status === undefined) return;
	const [found] = status.isDirectory()
		? readdirSync(folder).filter((name) => name !== "lost+found")
		: ["a file"];
	if (found === undefined) return;
	throw new ConfigurationError(
		status.isDirectory()
			? `The folder "${folder}" is not empty: it has "${found}".`
			: `"${folder}" is not a folder.`,
		{
			code: "data_folder_not_empty",
			hint: "Name a folder that is empty or does not exist. To replace a data folder, stop its service and move it away first.",
		},
	);
}

/** The deployment comes last: without it, a service refuses to start. */
async function moveIntoPlace(staging: string, folder: string): Promise<void> {
	mkdirSync(join(staging, "workspaces"), { recursive: true, mode: 0o700 });
	await syncFolder(join(staging, "workspaces"));
	await rename(join(staging, "workspaces"), join(folder, "workspaces"));
	await rename(join(staging, "deployment.sqlite"), join(folder, "deployment.sqlite"));
	await syncFolder(folder);
}

/** Removes what a restoration that failed has made: it found the folder empty. */
async function removeOwnFiles(folder: string, isNew: boolean): Promise<void> {
	for (const suffix of DATABASE_SUFFIXES) rmSync(join(folder, `lock.sqlite${suffix}`), { force: true });
	if (isNew) await rmdir(folder).catch(() => undefined);
}
