import type { DatabaseConfiguration } from "../../configuration/configuration";
import type { DeploymentStore } from "../deployment-store";
import { createDeploymentStore } from "../sqlite/deployment/deployment-store";
import { StorageError } from "../storage-error";
import { openPostgresPool } from "./connection/postgres-pool";
import { laterDatabaseError, postgresMigrations, readPostgresVersion } from "./migrate-postgres";
import { createPostgresDeployment } from "./postgres-database";

const POOL_SIZE = 2;

/**
 * Opens the store of a deployment in a database for a command, also while an instance serves it.
 *
 * @throws StorageError where the database cannot be used, or is of another version of Stemma.
 */
export async function openPostgresDeployment({
	url,
}: Pick<DatabaseConfiguration, "url">): Promise<DeploymentStore> {
	const pool = await openPostgresPool(url.reveal(), POOL_SIZE);
	try {
		const client = await pool.connect();
		const version = await readPostgresVersion(client).finally(() => client.release());
		if (version > postgresMigrations.length) throw laterDatabaseError(version, postgresMigrations.length);
		if (version < postgresMigrations.length) throw earlierDatabaseError();
	} catch (error) {
		await pool.end();
		throw error;
	}
	const store = createDeploymentStore(createPostgresDeployment(pool));
	return {
		...store,
		async close() {
			await store.close();
			await pool.end();
		},
	};
}

const earlierDatabaseError = (): StorageError =>
	new StorageError("The database does not have the tables of this version of Stemma.", {
		code: "storage_version",
		hint: "Start the service of this version once: it brings the database up to date.",
	});
