import { statSync } from "node:fs";
import { ConfigurationError } from "@stemma/core/errors";
import { lockDataFolder } from "../../store/data-folder/data-folder-lock";
import { toDeploymentFile } from "../../store/data-folder/deployment-file";
import { type PostgresStoresOptions, startPostgresStores } from "../../store/postgres/open-stores";
import { tightenDataFolder } from "../data-folder";
import type { StoreBackend } from "./store-backend";

/**
 * Opens a Postgres database. The data folder keeps uploads on their way and the first credentials, so that it is locked too.
 *
 * @throws ConfigurationError for a database or folder that is in use, a server or role that is unsuitable, and a folder that
 * has a deployment of its own.
 * @throws StorageError where the database cannot be used.
 */
export async function openPostgresBackend(
	dataFolder: string,
	options: PostgresStoresOptions,
): Promise<StoreBackend> {
	if (statSync(toDeploymentFile(dataFolder), { throwIfNoEntry: false })?.size)
		throw hasDeploymentError(dataFolder);
	const lock = lockDataFolder(dataFolder);
	try {
		const files = tightenDataFolder(dataFolder);
		const opener = await startPostgresStores(options);
		return {
			opener,
			files,
			listUnknownFiles: async () => [],
			async release() {
				await opener.stop();
				lock.release();
			},
		};
	} catch (error) {
		lock.release();
		throw error;
	}
}

/** Refuses a folder whose deployment would seem lost. */
const hasDeploymentError = (dataFolder: string): ConfigurationError =>
	new ConfigurationError(
		`The data folder "${dataFolder}" has a deployment on SQLite, and database.url is set.`,
		{
			code: "data_folder_in_use",
			hint: 'Leave database.url out to serve what is there, or name another folder with --data, STEMMA_DATA_FOLDER or "data".',
		},
	);
