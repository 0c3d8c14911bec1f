import { sleep } from "@stemma/core/internal";
import { StorageError } from "../../storage-error";
import { isLockUnavailable } from "../connection/postgres-error";
import type { PostgresSession } from "../connection/postgres-pool";
import { assertInstancesKnow } from "../instances/assert-instances-know";
import { readDatabaseVersion, recordStep } from "./database-version";

/** One step of a database's tables to the next version. */
export interface PostgresMigration {
	readonly sql: string;
	/**
	 * The last step that a version of Stemma must know to serve the database once this one is applied. For what only adds, the
	 * one of the step before: instances of the version before go on. For what they could not go on with, the number of the
	 * earliest step whose versions can: at most its own.
	 */
	readonly compatibleWith: number;
}

const LOCK_KEY = "hashtextextended('stemma:migrations', 0)";
const MIGRATION_LOCK = `select pg_advisory_xact_lock(${LOCK_KEY})`;

/** Time that a step waits for a table that instances use: those that queue behind it wait no longer, and not until their own limit. */
const TABLE_TIMEOUT_MS = 3_000;
const MIGRATION_ATTEMPTS = 20;
const RETRY_MS = 1_000;

/**
 * Brings a database to the newest version: numbered steps, forward only, one transaction each, one instance at a time. Steps
 * that a later version has applied stay, as long as this one can serve the database.
 *
 * @returns whether a later version has added to the tables.
 * @throws StorageError `storage_version` where this version cannot serve the database; `database_in_use` where instances of an
 * earlier version could not go on.
 */
export async function applyMigrations(
	owner: PostgresSession,
	migrations: readonly PostgresMigration[],
): Promise<boolean> {
	for (;;) {
		const { applied, isDone } = await inMigration(owner, () => applyNext(owner, migrations));
		if (isDone) return applied > migrations.length;
	}
}

async function applyNext(owner: PostgresSession, migrations: readonly PostgresMigration[]) {
	const { applied, required } = await readDatabaseVersion(owner);
	if (required > migrations.length) throw laterDatabaseError(required, migrations.length);
	const step = migrations[applied];
	if (step === undefined) return { applied, isDone: true };
	if (applied > 0 && step.compatibleWith > required) await assertInstancesKnow(owner, step.compatibleWith);
	await owner.query(step.sql);
	await recordStep(owner, applied + 1, step.compatibleWith);
	return { applied: applied + 1, isDone: false };
}

/** Keeps other sessions from changing tables, also instances that start, until the connection of this one ends. */
export const lockMigrations = async ({ query }: PostgresSession): Promise<void> =>
	void (await query(`select pg_advisory_lock(${LOCK_KEY})`));

/**
 * Runs a change of tables in a transaction, while no other instance changes them. Where a table is in use for too long, it is
 * undone and tried again after a second, up to 20 times in all.
 */
export async function inMigration<Result>(
	owner: PostgresSession,
	work: () => Promise<Result>,
): Promise<Result> {
	for (let failures = 1; ; failures++)
		try {
			return await inTransaction(owner, work);
		} catch (error) {
			if (failures === MIGRATION_ATTEMPTS || !isLockUnavailable(error)) throw error;
			await sleep(RETRY_MS);
		}
}

async function inTransaction<Result>(owner: PostgresSession, work: () => Promise<Result>): Promise<Result> {
	await owner.query(`begin; ${MIGRATION_LOCK}; set local lock_timeout = ${TABLE_TIMEOUT_MS}`);
	try {
		const result = await work();
		await owner.query("commit");
		return result;
	} catch (error) {
		await owner.query("rollback").catch(() => undefined);
		throw error;
	}
}

/** A later version of Stemma has changed the database, and this one would spoil it. */
export const laterDatabaseError = (required: number, known: number): StorageError =>
	new StorageError(
		`The database cannot be used: a later version of Stemma wrote it (version ${required}; this Stemma supports up to ${known}).`,
		{
			code: "storage_version",
			hint: "Start the later version of Stemma, or restore the database from a backup of this version.",
		},
	);
