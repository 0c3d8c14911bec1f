import type { DatabaseConfiguration } from "../../configuration/configuration";
import type { DeploymentStore } from "../deployment-store";
import { createDeploymentStore } from "../repositories/deployment/deployment-store";
import { openCommandPool } from "./open-command-pool";
import { createPostgresDeployment } from "./postgres-database";

/**
 * Opens the store of a deployment in a database for a command, also while an instance serves it.
 *
 * @throws StorageError where the database cannot be used, or is of another version of Stemma.
 */
export async function openPostgresDeployment(
	database: Pick<DatabaseConfiguration, "url">,
): Promise<DeploymentStore> {
	const pool = await openCommandPool(database);
	const store = createDeploymentStore(createPostgresDeployment(pool));
	return {
		...store,
		async close() {
			await store.close();
			await pool.end();
		},
	};
}
