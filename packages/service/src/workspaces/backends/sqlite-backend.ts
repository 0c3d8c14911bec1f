import { lockDataFolder } from "../../store/data-folder/data-folder-lock";
import { preparePrivateFolder } from "../../store/data-folder/private-files";
import { toWorkspacesFolder } from "../../store/data-folder/workspace-files";
import { assertFullTextSearch } from "../../store/full-text-search";
import { startSqliteStores } from "../../store/sqlite/open-stores";
import type { WriteObserver } from "../../store/write-lock";
import { tightenDataFolder } from "../data-folder";
import type { StoreBackend } from "./store-backend";
import { assertDeploymentFile, listUnknownFiles } from "./unknown-files";

/**
 * Opens the SQLite files of a data folder, and keeps other services out of it.
 *
 * @throws ConfigurationError for a folder that is in use, and where SQLite lacks full-text search.
 * @throws StorageError `deployment_missing` where the deployment's own file is lost.
 */
export async function openSqliteBackend(
	dataFolder: string,
	observer: Required<WriteObserver>,
): Promise<StoreBackend> {
	assertFullTextSearch();
	// Locking writes: on a disk that was filled meanwhile, it needs the space of the ballast.
	observer.prepareWrite();
	const lock = lockDataFolder(dataFolder);
	const opener = startSqliteStores({ dataFolder, lockIdentity: lock.identity, ...observer });
	async function release(): Promise<void> {
		await opener.stop();
		lock.release();
	}
	try {
		preparePrivateFolder(toWorkspacesFolder(dataFolder));
		const files = tightenDataFolder(dataFolder);
		assertDeploymentFile(dataFolder);
		return { opener, files, listUnknownFiles: (known) => listUnknownFiles(dataFolder, known), release };
	} catch (error) {
		await release();
		throw error;
	}
}
