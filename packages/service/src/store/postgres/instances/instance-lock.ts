import { ConfigurationError } from "@stemma/core/errors";
import { openPostgresSession, type PostgresSession } from "../connection/postgres-pool";

const KEY = "hashtextextended('stemma:instance', 0)";

const IS_HELD = `
select exists (
	select from pg_locks, ${KEY} as key
	where locktype = 'advisory' and granted
		and database = (select oid from pg_database where datname = current_database())
		and classid::bigint = (key >> 32) & 4294967295 and objid::bigint = key & 4294967295
) as is_held`;

/** Tells whether instances, or a command that has the database for itself, use the database. */
export async function isInstanceLockHeld({ query }: Pick<PostgresSession, "query">): Promise<boolean> {
	const { rows } = await query(IS_HELD);
	return rows[0]?.is_held === 1;
}

/**
 * Takes the lock of the database together with other instances, until the connection ends.
 *
 * @throws ConfigurationError `database_in_use` while a command has the database for itself.
 */
export async function shareInstanceLock({ query }: Pick<PostgresSession, "query">): Promise<void> {
	const { rows } = await query(`select pg_try_advisory_lock_shared(${KEY}) as is_held`);
	if (rows[0]?.is_held !== 1)
		throw new ConfigurationError("A command has the database for itself, such as an import.", {
			code: "database_in_use",
			hint: "Start the service once the command is done.",
		});
}

/** Keeps all instances out of a database. The server lets go of it when the connection ends. */
export interface ExclusiveLock {
	release(): Promise<void>;
}

/**
 * Takes the lock of the database for a command, on a connection of its own.
 *
 * @throws ConfigurationError `database_in_use` while an instance serves it; StorageError where there is no connection.
 */
export async function lockExclusively(url: string): Promise<ExclusiveLock> {
	const session = await openPostgresSession(url);
	const { rows } = await session.query(`select pg_try_advisory_lock(${KEY}) as is_held`);
	if (rows[0]?.is_held === 1) return { release: session.close };
	await session.close();
	throw new ConfigurationError(
		"The database is in use by an instance of the service, or by another command.",
		{
			code: "database_in_use",
			hint: "Stop all instances, then try again: `stemma doctor` lists them.",
		},
	);
}
