import type { DatabaseConfiguration } from "../../configuration/configuration";
import { openPostgresPool, type PostgresPool } from "./connection/postgres-pool";
import { assertServable } from "./migrate-postgres";

const POOL_SIZE = 2;

/**
 * Opens connections for a command, which changes no tables.
 *
 * @throws StorageError where the database cannot be used, or this version of Stemma cannot serve it.
 */
export async function openCommandPool({ url }: Pick<DatabaseConfiguration, "url">): Promise<PostgresPool> {
	const pool = await openPostgresPool(url.reveal(), POOL_SIZE);
	try {
		const client = await pool.connect();
		await assertServable(client).finally(() => client.release());
		return pool;
	} catch (error) {
		await pool.end();
		throw error;
	}
}
