import { ConfigurationError } from "@stemma/core/errors";
import type { DatabaseConfiguration } from "../../configuration/configuration";
import type { Ciphertext } from "../../encryption/ciphertext-repository";
import { createCiphertextRepository } from "../repositories/ciphertext-repository";
import { openPostgresSession, type PostgresSession } from "./connection/postgres-pool";
import { assertEmptyDatabase } from "./dump/assert-empty-database";
import {
	type DatabaseContents,
	listTables,
	readContents,
	readServerVersion,
	SCHEMAS,
} from "./dump/database-contents";
import { type DumpTool, findDumpTool } from "./dump/find-dump-tool";
import { runDumpTool } from "./dump/run-dump-tool";
import { lockExclusively } from "./instances/instance-lock";
import { isServable, postgresMigrations } from "./migrate-postgres";
import { inMigration, lockMigrations } from "./migrations/apply-migrations";
import { readDatabaseVersion } from "./migrations/database-version";
import { openCommandPool } from "./open-command-pool";
import { createPostgresDatabase } from "./postgres-database";
import { protectTablesSql } from "./protect-tables";
import { assertServer } from "./server-requirements";

/** The last migration step that this version of Stemma knows. */
export const NEWEST_DATABASE_VERSION = postgresMigrations.length;

/** Origin of a dump, which the database that it is restored into must suit. */
export interface DumpOrigin {
	/** Version of the server that it was made of, such as `15.14`. */
	readonly serverVersion: string;
	/** Major version of the `pg_dump` that made it. */
	readonly dumpVersion: number;
	/** Schema of the extension `vector`, where tables use it. */
	readonly vectorSchema: string | undefined;
}

/** Writes bytes to who restores them, as fast as that reads. */
export type DumpWriter = (bytes: Uint8Array) => Promise<void>;

/** An empty database that a dump is restored into. */
export interface PostgresRestoration {
	/** Name of the database. */
	readonly database: string;
	/**
	 * Restores a dump in one transaction, which ends with it, and puts the tables under the protection of a set-up.
	 *
	 * @param writeDump - writes all of the dump.
	 */
	restore(writeDump: (write: DumpWriter) => Promise<void>, signal: AbortSignal | undefined): Promise<void>;
	/** Reads what was restored. */
	readContents(): Promise<DatabaseContents>;
	/** Lists what is encrypted; nothing of a database that an earlier version of Stemma has written. */
	listCiphertexts(): Promise<readonly Ciphertext[]>;
	/** Removes what was restored. */
	remove(): Promise<void>;
	close(): Promise<void>;
}

/**
 * Opens an empty database that a dump is restored into, and keeps services from starting on it.
 *
 * @throws ConfigurationError `database_not_empty`, `database_in_use`, `database_unsuitable`, `vectors_unavailable`,
 * `postgres_tools_missing`, `postgres_tools_outdated`; StorageError where the database cannot be used.
 */
export async function openPostgresRestoration(
	database: DatabaseConfiguration,
	origin: DumpOrigin,
): Promise<PostgresRestoration> {
	const environment = process.env;
	const ownerUrl = (database.ownerUrl ?? database.url).reveal();
	const role = await readRole(database);
	const lock = await lockExclusively(database.url.reveal());
	const owner = await openPostgresSession(ownerUrl).catch(async (error: unknown) => {
		await lock.release();
		throw error;
	});
	const close = async (): Promise<void> => {
		// An instance that waits for the first one takes the other next.
		await lock.release();
		await owner.close();
	};
	try {
		await lockMigrations(owner);
		await assertEmptyDatabase(owner);
		await assertSuits(owner, origin);
		const tool = await findDumpTool("pg_restore", {
			minVersion: origin.dumpVersion,
			reason: "the pg_dump that made the backup",
			environment,
		});
		const name = await readName(owner);
		return {
			database: name,
			async restore(writeDump, signal) {
				await restoreDump(tool, { url: ownerUrl, name, environment, writeDump, signal });
				await inMigration(owner, () => owner.query(protectTablesSql(role)));
			},
			readContents: () => readAllContents(owner),
			listCiphertexts: () => listCiphertexts(owner, database),
			remove: async () => void (await owner.query(`drop schema if exists ${SCHEMAS.join(", ")} cascade`)),
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

/** Checks the server and the role of the service, which gets its rights by name. */
async function readRole({ url }: DatabaseConfiguration): Promise<string> {
	const session = await openPostgresSession(url.reveal());
	return assertServer(session).finally(() => session.close());
}

async function readName({ query }: PostgresSession): Promise<string> {
	const { rows } = await query("select current_database() as name");
	return String(rows[0]?.name);
}

async function assertSuits(
	owner: PostgresSession,
	{ serverVersion, vectorSchema }: DumpOrigin,
): Promise<void> {
	const { text, major } = await readServerVersion(owner);
	if (major < Number.parseInt(serverVersion, 10))
		throw new ConfigurationError(
			`The backup is of Postgres ${serverVersion}, and the server has the earlier version ${text}.`,
			{
				code: "database_unsuitable",
				hint: "Restore it on a server of that version, or of a later one. Nothing was changed.",
			},
		);
	if (vectorSchema === undefined) return;
	const { rows } = await owner.query(
		"select n.nspname as name from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'vector'",
	);
	if (rows[0]?.name === vectorSchema) return;
	throw new ConfigurationError(
		`The backup has vectors, and the database does not have the extension "vector" in the schema "${vectorSchema}".`,
		{
			code: "vectors_unavailable",
			hint: `Install pgvector and run "create extension vector schema ${vectorSchema}" in the database as a superuser. Nothing was changed.`,
		},
	);
}

interface Restoration {
	readonly url: string;
	readonly name: string;
	readonly environment: NodeJS.ProcessEnv;
	readonly writeDump: (write: DumpWriter) => Promise<void>;
	readonly signal: AbortSignal | undefined;
}

/** Owner and rights are those of this database, not those of the one that was dumped. */
const restoreDump = (tool: DumpTool, { name, writeDump, ...run }: Restoration): Promise<void> =>
	runDumpTool(tool, {
		...run,
		arguments: [
			"--format=custom",
			"--exit-on-error",
			"--single-transaction",
			"--no-owner",
			"--no-privileges",
			"--no-tablespaces",
			"--no-password",
			`--dbname=dbname='${name.replaceAll(/['\\]/g, "\\$&")}'`,
		],
		outcome: "Nothing was restored.",
		advice:
			"Check that the role of database.owner_url owns the database, and that the programs of Postgres have the version of the server (POSTGRES_BIN names their folder).",
		async transfer({ stdin, stdout }) {
			stdout.resume();
			await writeDump(
				(bytes) =>
					new Promise((resolve, reject) => {
						stdin.write(bytes, (error) => (error ? reject(error) : resolve()));
					}),
			);
			stdin.end();
		},
	});

/** Reads in a transaction in which row-level security does not bind the owner; it is undone. */
async function readAllContents(owner: PostgresSession): Promise<DatabaseContents> {
	await owner.query("begin; set local statement_timeout = 0; set local row_security = off");
	try {
		for (const table of await listTables(owner))
			await owner.query(`alter table ${table} no force row level security`);
		return await readContents(owner);
	} finally {
		await owner.query("rollback");
	}
}

async function listCiphertexts(
	owner: PostgresSession,
	database: DatabaseConfiguration,
): Promise<readonly Ciphertext[]> {
	if (!isServable(await readDatabaseVersion(owner))) return [];
	const { rows } = await owner.query("select id from stemma_deployment.workspaces");
	const pool = await openCommandPool(database);
	try {
		const lists: (readonly Ciphertext[])[] = [];
		for (const id of rows.map((row) => String(row.id)))
			lists.push(await createCiphertextRepository(createPostgresDatabase(pool, id)).list(id));
		return lists.flat();
	} finally {
		await pool.end();
	}
}
