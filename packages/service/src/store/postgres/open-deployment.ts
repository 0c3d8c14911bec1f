import type { DatabaseConfiguration } from "../../configuration/configuration";
import type { DeploymentStore } from "../deployment-store";
import { createDeploymentStore } from "../sqlite/deployment/deployment-store";
import { openPostgresPool } from "./connection/postgres-pool";
import { assertCurrentVersion } from "./migrate-postgres";
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
		await assertCurrentVersion(client).finally(() => client.release());
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
