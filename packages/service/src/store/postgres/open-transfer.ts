import type { DatabaseConfiguration } from "../../configuration/configuration";
import type { ImportingDeployment } from "../sqlite/open-transfer";
import { deleteWorkspaceRows } from "./delete-workspace-rows";
import { lockExclusively } from "./instances/instance-lock";
import { openCommandPool } from "./open-command-pool";
import { createPostgresDatabase, createPostgresDeployment } from "./postgres-database";
import { copyDeploymentToFile } from "./transfer/copy-deployment";
import { copyWorkspaceFromFile } from "./transfer/copy-from-file";
import { copyWorkspaceToFile } from "./transfer/copy-to-file";
import { createImportingDeployment } from "./transfer/importing-deployment";

/** Copies of what is in a database, as SQLite files, also while a service serves it. */
export interface PostgresCopies {
	copyDeployment(idOrName: string, path: string): Promise<void>;
	copyWorkspace(id: string, path: string, signal: AbortSignal | undefined): Promise<void>;
	close(): Promise<void>;
}

/** @throws StorageError where the database cannot be used, or is of another version. */
export async function openPostgresCopies(
	database: Pick<DatabaseConfiguration, "url">,
): Promise<PostgresCopies> {
	const pool = await openCommandPool(database);
	return {
		copyDeployment: (idOrName, path) => copyDeploymentToFile(createPostgresDeployment(pool), idOrName, path),
		copyWorkspace: (id, path, signal) =>
			copyWorkspaceToFile(createPostgresDatabase(pool, id), id, path, signal),
		close: () => pool.end(),
	};
}

/** Database that a workspace is imported into. */
export interface PostgresImport {
	readonly deployment: Omit<ImportingDeployment, "close">;
	/** Replaces the rows of a workspace by those of its SQLite file. */
	place(path: string, id: string): Promise<void>;
	/** Deletes the rows of a workspace. */
	remove(id: string): Promise<void>;
	close(): Promise<void>;
}

/**
 * Opens a database that no service uses, and keeps services from starting.
 *
 * @throws ConfigurationError `database_in_use`; StorageError where the database cannot be used, or is of another version.
 */
export async function openPostgresImport(database: DatabaseConfiguration): Promise<PostgresImport> {
	const lock = await lockExclusively(database.url.reveal());
	try {
		const pool = await openCommandPool(database);
		return {
			deployment: createImportingDeployment(createPostgresDeployment(pool)),
			async place(path, id) {
				await deleteWorkspaceRows(pool, id);
				await copyWorkspaceFromFile(createPostgresDatabase(pool, id), id, path);
			},
			remove: (id) => deleteWorkspaceRows(pool, id),
			async close() {
				await pool.end();
				await lock.release();
			},
		};
	} catch (error) {
		await lock.release();
		throw error;
	}
}
