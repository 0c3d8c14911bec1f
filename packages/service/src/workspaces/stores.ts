import { lockDataFolder } from "../store/data-folder/data-folder-lock";
import { preparePrivateFolder, type RestrictedFiles } from "../store/data-folder/private-files";
import type { DeploymentStore } from "../store/deployment-store";
import { assertFullTextSearch } from "../store/full-text-search";
import { startSqliteStores } from "../store/sqlite/open-stores";
import { tightenDataFolder } from "./data-folder";
import { finishDeletions, toWorkspacesFolder } from "./delete-workspace";
import { assertDeploymentFile, listUnknownFiles } from "./unknown-files";
import { openWorkspaces, type Workspaces, type WorkspacesOptions } from "./workspaces";

/** All that a data folder holds, open. */
export interface Stores {
	readonly deployment: DeploymentStore;
	readonly workspaces: Workspaces;
	/** Files and folders that other users could access until this start. */
	readonly files: RestrictedFiles;
	/** Names of files that would be workspaces' if the deployment knew them. */
	readonly unknownFiles: readonly string[];
	/** Lets runs end within the grace time, ends all threads, and lets the next service in. */
	close(graceMs: number): Promise<void>;
}

/**
 * Opens a data folder that was prepared; makes what is missing in it.
 *
 * @throws ConfigurationError for a folder that cannot be used or is in use, and where SQLite lacks full-text search.
 * @throws StorageError where the deployment's own files are damaged; `deployment_missing` where they are lost.
 */
export async function openStores(dataFolder: string, options: WorkspacesOptions): Promise<Stores> {
	assertFullTextSearch();
	// Locking writes: on a disk that was filled meanwhile, it needs the space of the ballast.
	options.disk.prepareWrite();
	const lock = lockDataFolder(dataFolder);
	const opener = startSqliteStores({
		prepareWrite: options.disk.prepareWrite,
		onWrite: options.metrics.observeWrite,
	});
	const release = async (): Promise<void> => {
		await opener.stop();
		lock.release();
	};
	try {
		preparePrivateFolder(toWorkspacesFolder(dataFolder));
		const files = tightenDataFolder(dataFolder);
		assertDeploymentFile(dataFolder);
		const deployment = await opener.openDeployment(dataFolder, lock.identity);
		await finishDeletions(deployment.workspaces, dataFolder, options.onError);
		const ids = (await deployment.workspaces.listAll()).map(({ id }) => id);
		const deletedIds = await deployment.workspaces.listDeleted();
		const unknownFiles = await listUnknownFiles(dataFolder, [...ids, ...deletedIds]);
		const workspaces = await openWorkspaces(opener, toWorkspacesFolder(dataFolder), ids, options);
		return {
			deployment,
			workspaces,
			files,
			unknownFiles,
			async close(graceMs) {
				await workspaces.close(graceMs);
				await deployment.close();
				await release();
			},
		};
	} catch (error) {
		await release();
		throw error;
	}
}
