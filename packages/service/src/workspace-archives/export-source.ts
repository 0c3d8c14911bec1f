import { dirname, join } from "node:path";
import { requireFreeSpace } from "../archives/require-free-space";
import { readFileSize } from "../doctor/check-database-file";
import { assertDataFolder, type DeploymentPlace } from "../store/data-folder/assert-data-folder";
import { toDeploymentFile } from "../store/data-folder/deployment-file";
import { toWorkspaceFile, toWorkspacesFolder } from "../store/data-folder/workspace-files";
import { openPostgresCopies } from "../store/postgres/open-transfer";
import { copyDatabase } from "../store/sqlite/open-snapshots";

/** Place that a workspace is exported from, as copies in files. */
export interface ExportSource {
	/** Copies what the deployment has of a workspace, by its id or name. */
	copyDeployment(idOrName: string, path: string): Promise<void>;
	/** @throws `signal.reason` when it was stopped. */
	copyWorkspace(id: string, path: string, signal: AbortSignal | undefined): Promise<void>;
	close(): Promise<void>;
}

/**
 * Opens a data folder or a database, also while a service serves it.
 *
 * @throws ConfigurationError `data_folder_missing`; StorageError
 */
export async function openExportSource(place: DeploymentPlace): Promise<ExportSource> {
	if (place.database !== undefined) return openPostgresCopies(place.database);
	assertDataFolder(place);
	const { data } = place;
	return {
		copyDeployment: (_, path) => copyDatabase(toDeploymentFile(data), path),
		copyWorkspace(id, path, signal) {
			const file = toWorkspaceFile(toWorkspacesFolder(data), id);
			requireFreeSpace(dirname(path), 3 * readFileSize(file), "The export");
			return copyDatabase(file, path, { signal });
		},
		close: async () => undefined,
	};
}

/** Names of the copies in a folder. */
export const toCopies = (folder: string) => ({
	deployment: join(folder, "deployment.sqlite"),
	workspace: join(folder, "workspace.sqlite"),
});
