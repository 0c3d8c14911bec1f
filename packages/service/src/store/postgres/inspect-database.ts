import type { DatabaseConfiguration } from "../../configuration/configuration";
import { openPostgresSession, type PostgresSession } from "./connection/postgres-pool";
import { WORKSPACE_SCHEMA } from "./connection/transaction-scope";
import { isInstanceLockHeld } from "./instances/instance-lock";
import { listInstances, type StoredInstance } from "./instances/stored-instance";
import { isServable, postgresMigrations } from "./migrate-postgres";
import { type DatabaseVersion, readDatabaseVersion } from "./migrations/database-version";
import { isUnprotectedSql } from "./protect-tables";
import { assertServer, hasVectorSearch } from "./server-requirements";

/** State of a database, for checks that change nothing. */
export interface DatabaseState {
	/** Instances serve it, or a command has it for itself. */
	readonly isServed: boolean;
	/** Instances that serve it, the oldest first. */
	readonly instances: readonly StoredInstance[];
	readonly version: DatabaseVersion;
	/** The last migration step that this version of Stemma knows. */
	readonly newestVersion: number;
	/** Tables of workspaces without row-level security. */
	readonly unprotectedTables: readonly string[];
	/** The extension `vector` is there. */
	readonly hasVectorSearch: boolean;
}

/**
 * Reads the state of a database, also while an instance serves it.
 *
 * @throws ConfigurationError `database_unsuitable`; StorageError where it cannot be used.
 */
export async function inspectDatabase({ url }: Pick<DatabaseConfiguration, "url">): Promise<DatabaseState> {
	const session = await openPostgresSession(url.reveal());
	try {
		await assertServer(session);
		const version = await readDatabaseVersion(session);
		return {
			isServed: await isInstanceLockHeld(session),
			instances: isServable(version) ? await listInstances(session) : [],
			version,
			newestVersion: postgresMigrations.length,
			unprotectedTables: await listUnprotectedTables(session),
			hasVectorSearch: await hasVectorSearch(session),
		};
	} finally {
		await session.close();
	}
}

async function listUnprotectedTables({ query }: PostgresSession): Promise<readonly string[]> {
	const { rows } = await query(
		`select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname = $1 and c.relkind in ('r', 'p') and ${isUnprotectedSql("c")}
		order by c.relname`,
		[WORKSPACE_SCHEMA],
	);
	return rows.map(({ name }) => String(name));
}
