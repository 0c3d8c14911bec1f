import { StorageError } from "../storage-error";
import type { PostgresSession } from "./connection/postgres-pool";
import { DEPLOYMENT_SCHEMA, WORKSPACE_SCHEMA } from "./connection/transaction-scope";
import {
	applyMigrations,
	inMigration,
	laterDatabaseError,
	type PostgresMigration,
} from "./migrations/apply-migrations";
import { type DatabaseVersion, migrationTablesSql, readDatabaseVersion } from "./migrations/database-version";
import { protectTablesSql } from "./protect-tables";
import { hasVectorSearch } from "./server-requirements";
import { claimTablesSql } from "./tables/deployment/claim-tables";
import { deploymentTablesSql } from "./tables/deployment/deployment-tables";
import { instanceTablesSql, instanceVersionsSql } from "./tables/deployment/instance-tables";
import { peopleTablesSql } from "./tables/deployment/people-tables";
import { sharedWorkTablesSql } from "./tables/deployment/shared-work-tables";
import { wordBlockTablesSql } from "./tables/knowledge/word-block-tables";
import { vectorTablesSql, workspaceTablesSql } from "./tables/workspace-tables";

const inSchema = (schema: string, sql: string): string =>
	`set local search_path = ${schema}, public, extensions;\n${sql}`;

/** One step for each version of the database. CONTRIBUTING.md says what a step may do while the version before it serves. */
export const postgresMigrations: readonly PostgresMigration[] = [
	{
		sql: [
			inSchema(
				DEPLOYMENT_SCHEMA,
				[deploymentTablesSql, peopleTablesSql, instanceTablesSql, claimTablesSql, sharedWorkTablesSql].join(
					"\n",
				),
			),
			inSchema(WORKSPACE_SCHEMA, workspaceTablesSql),
		].join("\n"),
		compatibleWith: 1,
	},
	{ sql: inSchema(WORKSPACE_SCHEMA, wordBlockTablesSql), compatibleWith: 2 },
	{ sql: inSchema(DEPLOYMENT_SCHEMA, instanceVersionsSql), compatibleWith: 2 },
];

const PREPARE = `
create schema if not exists ${DEPLOYMENT_SCHEMA};
create schema if not exists ${WORKSPACE_SCHEMA};
${migrationTablesSql}
`;

/**
 * Brings the database to the newest version as {@link applyMigrations} does. Then protects all tables by row-level security,
 * and lets the application's role use them.
 *
 * @param owner - a session of the role that owns the tables.
 * @param applicationRole - the role that the service works with.
 * @throws as `applyMigrations`
 */
export async function migratePostgres(owner: PostgresSession, applicationRole: string): Promise<void> {
	await inMigration(owner, () => owner.query(PREPARE));
	const isOfLaterVersion = await applyMigrations(owner, postgresMigrations);
	await inMigration(owner, async () => {
		// A later version may have changed what this one would create.
		if (!isOfLaterVersion && (await hasVectorSearch(owner)))
			await owner.query(inSchema(WORKSPACE_SCHEMA, vectorTablesSql));
		await owner.query(protectTablesSql(applicationRole));
	});
}

/** Checks whether this version of Stemma can serve a database as it is. */
export const isServable = ({ applied, required }: DatabaseVersion): boolean =>
	required <= postgresMigrations.length && applied >= postgresMigrations.length;

/** @throws StorageError `storage_version` for a database that this version of Stemma cannot serve as it is. */
export async function assertServable(session: Pick<PostgresSession, "query">): Promise<void> {
	const version = await readDatabaseVersion(session);
	if (isServable(version)) return;
	if (version.required > postgresMigrations.length)
		throw laterDatabaseError(version.required, postgresMigrations.length);
	throw earlierDatabaseError();
}

/** An earlier version of Stemma has written the database, or none, and only a service changes its tables. */
const earlierDatabaseError = (): StorageError =>
	new StorageError("The database does not have the tables of this version of Stemma.", {
		code: "storage_version",
		hint: "Start the service of this version once: it brings the database up to date.",
	});
