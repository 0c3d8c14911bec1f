import { backup } from "node:sqlite";
import { prepareDatabaseFile } from "../data-folder/private-files";
import { readVersion } from "../migrate";
import {
	listDamage,
	openForChecking,
	openForReading,
	type SqliteFile,
	toThreadFailure,
} from "../sqlite-file";
import { StorageError, toStorageError } from "../storage-error";
import { readWorkspaceIdentity } from "../workspace-identity";
import { DEPLOYMENT_VERSION, toWorkspaceStore, WORKSPACE_VERSION } from "./open-shared-stores";

/** Number of pages that are copied at once: a batch takes a few milliseconds, and locks nothing that a writer needs. */
const PAGES_PER_BATCH = 1_000;

export interface CopyOptions {
	readonly onProgress?: ((done: number, total: number) => void) | undefined;
	readonly signal?: AbortSignal | undefined;
}

/**
 * Copies a database as it is at the moment of the call, also while a service writes to it. The copy reads from one
 * transaction: writers go on, and what they write meanwhile is not in it.
 *
 * @throws StorageError where the database cannot be read; `signal.reason` when it was stopped.
 */
export async function copyDatabase(
	source: string,
	target: string,
	{ onProgress, signal }: CopyOptions = {},
): Promise<void> {
	let file: SqliteFile | undefined;
	signal?.throwIfAborted();
	try {
		file = openForReading(source);
		file.database.exec("BEGIN");
		// A transaction begins with its first read.
		readVersion(file.database);
		file.prepare("SELECT count(*) FROM sqlite_schema").get();
		prepareDatabaseFile(target);
		await backup(file.database, target, {
			rate: PAGES_PER_BATCH,
			progress({ totalPages, remainingPages }) {
				signal?.throwIfAborted();
				onProgress?.(totalPages - remainingPages, totalPages);
			},
		});
	} catch (error) {
		signal?.throwIfAborted();
		throw StorageError.is(error) ? error : toStorageError(toThreadFailure(error), source);
	} finally {
		file?.close();
	}
}

/** Content of a database that is not in use. */
export interface DatabaseSummary {
	/** Number of migration steps that were done. */
	readonly version: number;
	/** Number of rows of each table. Word indexes, which follow from passages, are left out. */
	readonly tables: Readonly<Record<string, number>>;
	/** Damage that was found; none where the database is sound. */
	readonly damage: readonly string[];
}

const MAX_FINDINGS = 5;

/**
 * Checks a database that no process has open, and counts its rows.
 *
 * @param isQuick - true looks at the structure alone.
 * @throws StorageError where it is none.
 */
export const summarizeDatabase = (path: string, isQuick: boolean): DatabaseSummary =>
	withIdleFile(path, (file) => {
		const damage = listDamage(file, isQuick, MAX_FINDINGS);
		return {
			version: readVersion(file.database),
			tables: damage.length > 0 ? {} : countRows(file),
			damage,
		};
	});

function countRows(file: SqliteFile): Record<string, number> {
	const tables = file
		.prepare<{ readonly name: string }>(
			"SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
		)
		.all();
	return Object.fromEntries(
		tables.map(({ name }) => [
			name,
			file.prepare<{ readonly rows: number }>(`SELECT count(*) AS rows FROM "${name}"`).get()?.rows ?? 0,
		]),
	);
}

/** A workspace of a deployment, and whether its deletion has begun. */
export interface ListedWorkspace {
	readonly id: string;
	readonly name: string;
}

/** Lists the workspaces of a deployment's database that no process has open, of any version; without those being deleted. */
export const listWorkspacesIn = (path: string): readonly ListedWorkspace[] =>
	withIdleFile(path, (file) => {
		const hasDeletions = readVersion(file.database) > 1;
		return file
			.prepare<ListedWorkspace>(
				`SELECT id, name FROM workspaces ${hasDeletions ? "WHERE deleting_at IS NULL" : ""} ORDER BY id`,
			)
			.all()
			.map(({ id, name }) => ({ id, name }));
	});

/** Reads whose database it is; `undefined` for one of an earlier version, which does not say so. */
export const readOwner = (path: string): string | undefined => withIdleFile(path, readWorkspaceIdentity);

/** Lists the envelopes of a workspace's database that no process has open; none of one of an earlier version. */
export async function listEnvelopes(path: string, workspaceId: string): Promise<readonly string[]> {
	const file = openForChecking(path, true);
	try {
		if (readVersion(file.database) !== WORKSPACE_VERSION) return [];
		const ciphertexts = await toWorkspaceStore(file, path).ciphertexts.list(workspaceId);
		return ciphertexts.map(({ envelope }) => envelope);
	} finally {
		file.close();
	}
}

/** Versions of the tables that this Stemma has. */
export const CURRENT_VERSIONS = { deployment: DEPLOYMENT_VERSION, workspace: WORKSPACE_VERSION } as const;

function withIdleFile<Result>(path: string, work: (file: SqliteFile) => Result): Result {
	let file: SqliteFile | undefined;
	try {
		file = openForChecking(path, true);
		return work(file);
	} catch (error) {
		throw StorageError.is(error) ? error : toStorageError(toThreadFailure(error), path);
	} finally {
		file?.close();
	}
}
