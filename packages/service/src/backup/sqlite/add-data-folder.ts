import { lstatSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { clock } from "@stemma/core/internal";
import { ArchiveError } from "../../archives/archive-error";
import { requireFreeSpace } from "../../archives/require-free-space";
import type { ArchiveWriter } from "../../archives/write-archive";
import { readFileSize } from "../../doctor/check-database-file";
import { STEMMA_VERSION } from "../../stemma-version";
import { toDeploymentFile } from "../../store/data-folder/deployment-file";
import { toWorkspaceFile, toWorkspacesFolder } from "../../store/data-folder/workspace-files";
import {
	CURRENT_VERSIONS,
	copyDatabase,
	type ListedWorkspace,
	listEnvelopes,
	listWorkspacesIn,
	readOwner,
	summarizeDatabase,
} from "../../store/sqlite/open-snapshots";
import { StorageError } from "../../store/storage-error";
import { addManifest, BACKUP_FORMAT, type BackupPart, type DataFolderManifest } from "../backup-manifest";
import type { CreateBackupOptions } from "../backup-options";
import { createKeyCount, type KeyCount } from "../key-count";

/** A copy of a file is removed once it is in the archive: the largest one is there twice. @throws ArchiveError `archive_no_space` */
export function requireBackupSpace(folder: string, target: string): void {
	const workspaces = listWorkspacesIfReadable(folder);
	const sizes = [toDeploymentFile(folder), ...workspaces].map(readFileSize);
	const total = sizes.reduce((sum, size) => sum + size, 0);
	requireFreeSpace(target, total + Math.max(...sizes), "The backup");
}

function listWorkspacesIfReadable(folder: string): readonly string[] {
	const parent = toWorkspacesFolder(folder);
	try {
		return listWorkspacesIn(toDeploymentFile(folder)).map(({ id }) => toWorkspaceFile(parent, id));
	} catch {
		// What is wrong with the file is told by who copies it.
		return [];
	}
}

/** Times that the deployment is copied again because workspaces were deleted while it was backed up. */
const MAX_COPIES = 20;

/** Adds the databases of a data folder to an archive, and the manifest. */
export async function addDataFolder(
	folder: string,
	archive: ArchiveWriter,
	options: CreateBackupOptions,
): Promise<DataFolderManifest> {
	const createdAt = new Date(clock.now()).toISOString();
	const keys = createKeyCount();
	const parts = new Map<string, BackupPart>();
	const skipped = new Map<string, DataFolderManifest["left_out"][number]>();
	const deployment = join(archive.workFolder, "deployment.sqlite");
	for (let copies = 1; ; copies++) {
		await rm(deployment, { force: true });
		await copyDatabase(toDeploymentFile(folder), deployment, { signal: options.signal });
		const workspaces = listWorkspacesIn(deployment);
		const missing = await addWorkspaces(folder, archive, workspaces, { parts, skipped, keys, options });
		if (missing.length === 0 || copies === MAX_COPIES) {
			for (const error of missing) throw error;
			const part = await addDatabase(archive, "deployment.sqlite", deployment);
			const manifest: DataFolderManifest = {
				...BACKUP_FORMAT,
				storage: "sqlite",
				created_at: createdAt,
				stemma_version: STEMMA_VERSION,
				schema_versions: CURRENT_VERSIONS,
				encryption_keys: [...keys.list()],
				parts: [part, ...parts.values()],
				left_out: [...skipped.values()],
			};
			await addManifest(archive, manifest);
			return manifest;
		}
	}
}

interface AddedWorkspaces {
	readonly parts: Map<string, BackupPart>;
	readonly skipped: Map<string, DataFolderManifest["left_out"][number]>;
	readonly keys: KeyCount;
	readonly options: CreateBackupOptions;
}

/**
 * Adds the workspaces that are not in the archive yet.
 *
 * @returns the errors of workspaces whose file is gone: they may have been deleted since the deployment was copied.
 */
async function addWorkspaces(
	folder: string,
	archive: ArchiveWriter,
	workspaces: readonly ListedWorkspace[],
	{ parts, skipped, keys, options }: AddedWorkspaces,
): Promise<readonly StorageError[]> {
	const missing: StorageError[] = [];
	let done = 1;
	for (const workspace of workspaces) {
		done += 1;
		if (parts.has(workspace.id) || skipped.has(workspace.id)) continue;
		options.signal?.throwIfAborted();
		const onCopied = (copied: number, total: number): void =>
			options.onProgress?.(
				done,
				workspaces.length + 1,
				`${workspace.name} ${Math.floor((100 * copied) / total)} %`,
			);
		onCopied(0, 1);
		try {
			parts.set(
				workspace.id,
				await addWorkspace(folder, archive, workspace, keys, { ...options, onProgress: onCopied }),
			);
		} catch (error) {
			if (!StorageError.is(error)) throw error;
			const isGone =
				lstatSync(toWorkspaceFile(toWorkspacesFolder(folder), workspace.id), { throwIfNoEntry: false }) ===
				undefined;
			if (options.skipsDamaged && !isGone)
				skipped.set(workspace.id, { workspace_id: workspace.id, code: error.code, message: error.message });
			else if (isGone) missing.push(error);
			else throw toUnusableError(workspace, error);
		}
	}
	return missing;
}

const toUnusableError = ({ id, name }: ListedWorkspace, error: StorageError): ArchiveError =>
	new ArchiveError(`The workspace "${name}" (${id}) cannot be backed up. ${error.message}`, {
		code: error.code,
		hint: "Restore its file, or add --skip-damaged to back up the others without it.",
		cause: error,
	});

async function addWorkspace(
	folder: string,
	archive: ArchiveWriter,
	{ id, name }: ListedWorkspace,
	keys: KeyCount,
	options: Parameters<typeof copyDatabase>[2],
): Promise<BackupPart> {
	const copy = join(archive.workFolder, `${id}.sqlite`);
	try {
		await copyDatabase(toWorkspaceFile(toWorkspacesFolder(folder), id), copy, options);
		const owner = readOwner(copy);
		if (owner !== undefined && owner !== id)
			throw new StorageError(`The file of the workspace ${id} belongs to the workspace ${owner}.`, {
				code: "storage_mismatch",
				hint: "Stop the service and restore the right file from a backup.",
			});
		keys.add(await listEnvelopes(copy, id));
		const part = await addDatabase(archive, `workspaces/${id}.sqlite`, copy);
		return { ...part, workspace_id: id, workspace_name: name };
	} finally {
		await rm(copy, { force: true });
	}
}

/** Adds a copy whose structure is sound: a backup of damage would be found when it is needed. */
async function addDatabase(archive: ArchiveWriter, path: string, copy: string): Promise<BackupPart> {
	const { version, tables, damage } = summarizeDatabase(copy, true);
	if (damage.length > 0)
		throw new StorageError(`The file ${path} is damaged: ${damage.join("; ")}.`, {
			code: "storage_corrupt",
			hint: "Stop the service and restore the file from a backup; `stemma doctor` says more.",
		});
	return { ...(await archive.addFile(path, copy)), schema_version: version, tables };
}
