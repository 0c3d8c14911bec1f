import { StorageError } from "../storage-error";
import type { PostgresSession } from "./connection/postgres-pool";
import { DEPLOYMENT_SCHEMA, WORKSPACE_SCHEMA } from "./connection/transaction-scope";
import { protectTablesSql } from "./protect-tables";
import { hasVectorSearch } from "./server-requirements";
import { claimTablesSql } from "./tables/deployment/claim-tables";
import { deploymentTablesSql } from "./tables/deployment/deployment-tables";
import { instanceTablesSql } from "./tables/deployment/instance-tables";
import { peopleTablesSql } from "./tables/deployment/people-tables";
import { sharedWorkTablesSql } from "./tables/deployment/shared-work-tables";
import { wordBlockTablesSql } from "./tables/knowledge/word-block-tables";
import { vectorTablesSql, workspaceTablesSql } from "./tables/workspace-tables";

const inSchema = (schema: string, sql: string): string =>
	`set local search_path = ${schema}, public, extensions;\n${sql}`;

/** One text for each version of the database. */
export const postgresMigrations: readonly string[] = [
	[
		inSchema(
			DEPLOYMENT_SCHEMA,
			[deploymentTablesSql, peopleTablesSql, instanceTablesSql, claimTablesSql, sharedWorkTablesSql].join(
				"\n",
			),
		),
		inSchema(WORKSPACE_SCHEMA, workspaceTablesSql),
	].join("\n"),
	inSchema(WORKSPACE_SCHEMA, wordBlockTablesSql),
];

const MIGRATION_LOCK = "select pg_advisory_xact_lock(hashtextextended('stemma:migrations', 0))";

const PREPARE = `
create schema if not exists ${DEPLOYMENT_SCHEMA};
create schema if not exists ${WORKSPACE_SCHEMA};
create table if not exists ${DEPLOYMENT_SCHEMA}.migrations (version integer primary key, applied_at timestamptz not null default now());
`;

/**
 * Brings the database to the newest version: numbered steps, forward only, one transaction each, one instance at a time.
 * Then protects all tables by row-level security, and lets the application's role use them.
 *
 * @param owner - a session of the role that owns the tables.
 * @param applicationRole - the role that the service works with.
 * @throws StorageError `storage_version` for a database that a later version of Stemma has written.
 */
export async function migratePostgres(owner: PostgresSession, applicationRole: string): Promise<void> {
	await inTransaction(owner, () => owner.query(PREPARE));
	while (await applyNext(owner));
	await inTransaction(owner, async () => {
		if (await hasVectorSearch(owner)) await owner.query(inSchema(WORKSPACE_SCHEMA, vectorTablesSql));
		await owner.query(protectTablesSql(applicationRole));
	});
}

/** Applies the next step, where there is one. @returns whether there was. */
const applyNext = (owner: PostgresSession): Promise<boolean> =>
	inTransaction(owner, async () => {
		const version = await readPostgresVersion(owner);
		if (version > postgresMigrations.length) throw laterDatabaseError(version, postgresMigrations.length);
		const step = postgresMigrations[version];
		if (step === undefined) return false;
		await owner.query(step);
		await owner.query(`insert into ${DEPLOYMENT_SCHEMA}.migrations (version) values ($1)`, [version + 1]);
		return true;
	});

/** Reads the number of steps that were applied; 0 for a database without tables. */
export async function readPostgresVersion({ query }: Pick<PostgresSession, "query">): Promise<number> {
	const { rows: tables } = await query(`select to_regclass('${DEPLOYMENT_SCHEMA}.migrations') as migrations`);
	if (tables[0]?.migrations === null) return 0;
	const { rows } = await query(
		`select coalesce(max(version), 0) as version from ${DEPLOYMENT_SCHEMA}.migrations`,
	);
	return Number(rows[0]?.version ?? 0);
}

/** @throws StorageError `storage_version` for a database that another version of Stemma has written. */
export async function assertCurrentVersion(session: Pick<PostgresSession, "query">): Promise<void> {
	const version = await readPostgresVersion(session);
	if (version > postgresMigrations.length) throw laterDatabaseError(version, postgresMigrations.length);
	if (version < postgresMigrations.length) throw earlierDatabaseError();
}

async function inTransaction<Result>(owner: PostgresSession, work: () => Promise<Result>): Promise<Result> {
	await owner.query(`begin; ${MIGRATION_LOCK}`);
	try {
		const result = await work();
		await owner.query("commit");
		return result;
	} catch (error) {
		await owner.query("rollback").catch(() => undefined);
		throw error;
	}
}

/** A later version of Stemma has written the database, and this one would spoil it. */
const laterDatabaseError = (found: number, known: number): StorageError =>
	new StorageError(
		`The database cannot be used: a later version of Stemma wrote it (version ${found}; this Stemma supports up to ${known}).`,
		{
			code: "storage_version",
			hint: "Start the later version of Stemma, or restore the database from a backup of this version.",
		},
	);

/** An earlier version of Stemma has written the database, or none, and only a service changes its tables. */
const earlierDatabaseError = (): StorageError =>
	new StorageError("The database does not have the tables of this version of Stemma.", {
		code: "storage_version",
		hint: "Start the service of this version once: it brings the database up to date.",
	});
