import { ConfigurationError } from "@stemma/core/errors";
import type { DatabaseConfiguration } from "../../configuration/configuration";
import { createAuditRepository } from "../repositories/audit-repository";
import { createCiphertextRepository } from "../repositories/ciphertext-repository";
import { createDeploymentStore } from "../repositories/deployment/deployment-store";
import type { SharedStores } from "../shared-stores";
import { type ExclusiveLock, lockExclusively } from "./instances/instance-lock";
import { listInstances } from "./instances/stored-instance";
import { openCommandPool } from "./open-command-pool";
import { createPostgresDatabase, createPostgresDeployment } from "./postgres-database";

/**
 * Opens a database for a command, also while a service serves it; where none does, none starts until the command is done.
 *
 * @throws StorageError where the database cannot be used, or is of another version.
 */
export async function openSharedPostgres(
	database: Pick<DatabaseConfiguration, "url">,
): Promise<SharedStores> {
	const lock = await tryLock(database.url.reveal());
	const pool = await openCommandPool(database).catch(async (error: unknown) => {
		await lock?.release();
		throw error;
	});
	return {
		async listServiceKeys() {
			const client = await pool.connect();
			const instances = await listInstances(client).finally(() => client.release());
			return instances.map(({ encryptionKeys }) => encryptionKeys);
		},
		deployment: createDeploymentStore(createPostgresDeployment(pool)),
		openWorkspace(id) {
			const workspace = createPostgresDatabase(pool, id);
			return {
				audit: createAuditRepository(workspace),
				ciphertexts: createCiphertextRepository(workspace),
				close: workspace.close,
			};
		},
		async close() {
			await pool.end();
			await lock?.release();
		},
	};
}

/** @returns `undefined` while an instance of the service has the lock. */
async function tryLock(url: string): Promise<ExclusiveLock | undefined> {
	try {
		return await lockExclusively(url);
	} catch (error) {
		if (ConfigurationError.is(error) && error.code === "database_in_use") return undefined;
		throw error;
	}
}
