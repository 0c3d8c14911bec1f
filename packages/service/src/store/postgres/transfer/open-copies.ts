import type { DatabaseConfiguration } from "../../../configuration/configuration";
import { openPostgresPool, type PostgresPool } from "../connection/postgres-pool";
import { assertCurrentVersion } from "../migrate-postgres";
import { createPostgresDatabase, createPostgresDeployment } from "../postgres-database";
import { copyDeploymentToFile } from "./copy-deployment";
import { copyWorkspaceToFile } from "./copy-to-file";

const POOL_SIZE = 2;

/** Opens a pool for a command. @throws StorageError where the database cannot be used, or is of another version. */
export async function openCommandPool({ url }: Pick<DatabaseConfiguration, "url">): Promise<PostgresPool> {
	const pool = await openPostgresPool(url.reveal(), POOL_SIZE);
	try {
		const client = await pool.connect();
		await assertCurrentVersion(client).finally(() => client.release());
		return pool;
	} catch (error) {
		await pool.end();
		throw error;
	}
}

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
