import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ConfigurationError } from "@stemma/core/errors";
import type { DatabaseConfiguration } from "../../configuration/configuration";
import { StorageError } from "../storage-error";
import { openPostgresSession, type PostgresSession } from "./connection/postgres-pool";
import {
	type DatabaseContents,
	findUsedVectorSchema,
	readContents,
	readServerVersion,
	SCHEMAS,
} from "./dump/database-contents";
import { type DumpTool, findDumpTool } from "./dump/find-dump-tool";
import { runDumpTool } from "./dump/run-dump-tool";
import { postgresMigrations } from "./migrate-postgres";
import { laterDatabaseError } from "./migrations/apply-migrations";

/** A database as it is at one moment, whatever is written to it meanwhile. */
export interface PostgresBackup {
	/** Version of the server, such as `15.14`. */
	readonly serverVersion: string;
	/** Major version of `pg_dump`. */
	readonly dumpVersion: number;
	/** Schema of the extension `vector`, where tables use it. */
	readonly vectorSchema: string | undefined;
	readContents(): Promise<DatabaseContents>;
	/** Lists all that is encrypted. */
	listEnvelopes(): Promise<readonly string[]>;
	/**
	 * Writes a dump in the custom format of `pg_dump` into a new file.
	 *
	 * @throws StorageError; the error of the file; `signal.reason` when it was stopped.
	 */
	writeDump(path: string, options: DumpOptions): Promise<void>;
	close(): Promise<void>;
}

export interface DumpOptions {
	/** Called with the bytes that were written. */
	readonly onProgress: (bytes: number) => void;
	readonly signal?: AbortSignal | undefined;
}

/**
 * Opens a database for a backup, also while instances serve it.
 *
 * @throws ConfigurationError `database_unsuitable` for a role that does not see all rows, `postgres_tools_missing`,
 * `postgres_tools_outdated`; StorageError where the database cannot be used.
 */
export async function openPostgresBackup(database: DatabaseConfiguration): Promise<PostgresBackup> {
	const url = (database.backupUrl ?? database.ownerUrl ?? database.url).reveal();
	const environment = process.env;
	const session = await openPostgresSession(url);
	try {
		await assertSeesAll(session);
		const { text, major } = await readServerVersion(session);
		const tool = await findDumpTool("pg_dump", { minVersion: major, reason: "the server", environment });
		const snapshot = await beginSnapshot(session);
		return {
			serverVersion: text,
			dumpVersion: tool.version,
			vectorSchema: await findUsedVectorSchema(session),
			readContents: () => readWrittenContents(session),
			listEnvelopes: () => listEnvelopes(session),
			writeDump: (path, options) => writeDump(tool, { url, snapshot, path, environment, ...options }),
			close: () => session.close(),
		};
	} catch (error) {
		await session.close();
		throw error;
	}
}

/** Row-level security binds the owner, too; a dump without some rows would look like a whole one. */
async function assertSeesAll({ query }: PostgresSession): Promise<void> {
	const { rows } = await query(
		"select rolname as role, rolsuper or rolbypassrls as sees_all from pg_roles where rolname = current_user",
	);
	if (rows[0]?.sees_all === 1) return;
	throw new ConfigurationError(`Row-level security hides rows from the role "${rows[0]?.role}".`, {
		code: "database_unsuitable",
		hint: "Name a role that has BYPASSRLS in database.backup_url or STEMMA_DATABASE_BACKUP_URL; docs/postgres.md#keep-it has the statements that create it.",
	});
}

/** Begins the transaction that the counts are of, and lets others see what it sees, until it ends. */
async function beginSnapshot({ query }: PostgresSession): Promise<string> {
	await query(
		`begin isolation level repeatable read read only;
		set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local row_security = off`,
	);
	const { rows } = await query("select pg_export_snapshot() as snapshot");
	return String(rows[0]?.snapshot);
}

async function readWrittenContents(session: PostgresSession): Promise<DatabaseContents> {
	const contents = await readContents(session);
	const { applied, required } = contents.version;
	if (required > postgresMigrations.length) throw laterDatabaseError(required, postgresMigrations.length);
	if (applied > 0) return contents;
	throw new StorageError("The database has no tables of Stemma.", {
		code: "storage_missing",
		hint: "Check the name of the database in database.url. The first start of a service creates the tables.",
	});
}

async function listEnvelopes({ query }: PostgresSession): Promise<readonly string[]> {
	const { rows } = await query(
		`select api_key as envelope from stemma.llm_settings where api_key is not null
		union all select value from stemma.workspace_secrets
		union all select secrets from stemma.a2a_push_configs where secrets is not null`,
	);
	return rows.map(({ envelope }) => String(envelope));
}

interface Dump extends DumpOptions {
	readonly url: string;
	readonly snapshot: string;
	readonly path: string;
	readonly environment: NodeJS.ProcessEnv;
}

/** Tables are locked against changes of their columns alone; a migration that holds one makes it wait. */
const LOCK_TIMEOUT_MS = 60_000;

const writeDump = (tool: DumpTool, { snapshot, path, onProgress, ...run }: Dump): Promise<void> =>
	runDumpTool(tool, {
		...run,
		arguments: [
			"--format=custom",
			`--snapshot=${snapshot}`,
			...SCHEMAS.map((schema) => `--schema=${schema}`),
			"--strict-names",
			`--lock-wait-timeout=${LOCK_TIMEOUT_MS}`,
			"--no-password",
		],
		outcome: "No backup was written.",
		advice:
			"Check that the Postgres server can be reached and that the role of database.backup_url may read all tables, then try again.",
		async transfer({ stdin, stdout }) {
			stdin.end();
			const target = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
			stdout.on("data", () => onProgress(target.bytesWritten));
			await pipeline(stdout, target);
		},
	});
