import { ConfigurationError } from "@stemma/core/errors";
import type { DatabaseConfiguration } from "../../configuration/configuration";
import type { SharedStores } from "../shared-stores";
import { createAuditRepository } from "../sqlite/audit-repository";
import { createCiphertextRepository } from "../sqlite/ciphertext-repository";
import { createDeploymentStore } from "../sqlite/deployment/deployment-store";
import { openPostgresPool } from "./connection/postgres-pool";
import { holdInstanceLock, type InstanceLock } from "./instance-lock";
import { assertCurrentVersion } from "./migrate-postgres";
import { createPostgresDatabase, createPostgresDeployment } from "./postgres-database";

/**
 * Opens a database for a command, also while a service serves it; where none does, none starts until the command is done.
 *
 * @throws StorageError where the database cannot be used, or is of another version.
 */
export async function openSharedPostgres({ url, poolSize }: DatabaseConfiguration): Promise<SharedStores> {
	const lock = await tryInstanceLock(url.reveal());
	const pool = await openPostgresPool(url.reveal(), poolSize);
	async function close(): Promise<void> {
		await pool.end();
		await lock?.release();
	}
	try {
		const client = await pool.connect();
		await assertCurrentVersion(client).finally(() => client.release());
	} catch (error) {
		await close();
		throw error;
	}
	return {
		isServed: lock === undefined,
		deployment: createDeploymentStore(createPostgresDeployment(pool)),
		openWorkspace(id) {
			const database = createPostgresDatabase(pool, id);
			return {
				audit: createAuditRepository(database),
				ciphertexts: createCiphertextRepository(database),
				close: database.close,
			};
		},
		close,
	};
}

/** @returns `undefined` while an instance of the service has the lock. */
async function tryInstanceLock(url: string): Promise<InstanceLock | undefined> {
	try {
		return await holdInstanceLock(url);
	} catch (error) {
		if (ConfigurationError.is(error) && error.code === "database_in_use") return undefined;
		throw error;
	}
}
