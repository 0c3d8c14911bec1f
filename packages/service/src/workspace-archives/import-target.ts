import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { DeploymentPlace } from "../store/data-folder/assert-data-folder";
import { lockDataFolder } from "../store/data-folder/data-folder-lock";
import { toDeploymentFile } from "../store/data-folder/deployment-file";
import { prepareDatabaseFile, preparePrivateFolder } from "../store/data-folder/private-files";
import { syncFolder } from "../store/data-folder/sync-folder";
import {
	deleteWorkspaceFiles,
	toWorkspaceFile,
	toWorkspacesFolder,
} from "../store/data-folder/workspace-files";
import { openPostgresImport } from "../store/postgres/open-transfer";
import { type ImportingDeployment, openImportingDeployment } from "../store/sqlite/open-transfer";

/** Place that a workspace is imported into. */
export interface ImportTarget {
	readonly deployment: Omit<ImportingDeployment, "close">;
	/** Moves the file of a workspace to its place, or its rows; what was there of it before is replaced. */
	place(path: string, id: string): Promise<void>;
	/** Removes what was put there of a workspace. */
	remove(id: string): Promise<void>;
	close(): Promise<void>;
}

/**
 * Opens a data folder, or a database, that no service uses. The files of an import are in the folder meanwhile, so that it is
 * locked in both cases.
 *
 * @throws ConfigurationError `data_folder_in_use`, `database_in_use`; StorageError
 */
export async function openImportTarget({ data, database }: DeploymentPlace): Promise<ImportTarget> {
	const lock = lockDataFolder(data);
	try {
		const target = database === undefined ? openFolder(data) : await openPostgresImport(database);
		return {
			...target,
			async close() {
				await target.close();
				lock.release();
			},
		};
	} catch (error) {
		lock.release();
		throw error;
	}
}

function openFolder(folder: string): ImportTarget {
	preparePrivateFolder(toWorkspacesFolder(folder));
	prepareDatabaseFile(toDeploymentFile(folder));
	const deployment = openImportingDeployment(toDeploymentFile(folder));
	return {
		deployment,
		place: (path, id) => moveIntoPlace(path, folder, id),
		remove: (id) => deleteWorkspaceFiles(toWorkspacesFolder(folder), id),
		close: () => deployment.close(),
	};
}

async function moveIntoPlace(source: string, folder: string, id: string): Promise<void> {
	const target = toWorkspaceFile(toWorkspacesFolder(folder), id);
	const handle = await open(source, "r+");
	await handle.sync().finally(() => handle.close());
	await syncFolder(dirname(source));
	await deleteWorkspaceFiles(toWorkspacesFolder(folder), id);
	await rename(source, target);
	await syncFolder(dirname(target));
}
