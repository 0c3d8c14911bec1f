import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "@stemma/core/errors";
import { createSemaphore } from "@stemma/core/internal";
import { Kysely } from "kysely";
import type { Queries } from "../database";
import { type DeploymentTables, deploymentMigrations } from "../deployment-tables";
import { openForReading, type SqliteFile, toThreadFailure } from "../sqlite-file";
import { StorageError, toStorageError } from "../storage-error";
import { createThreadDialect } from "../worker-threads/thread-dialect";
import type { SqlRow } from "../worker-threads/thread-protocol";
import { type WorkspaceTables, workspaceMigrations } from "../workspace-tables";

/** A file of a data folder that a service may be serving; all in this thread. */
export interface RotationFile<Tables> extends Queries<Tables> {
	close(): void;
}

/** @throws ConfigurationError where it is no data folder; StorageError where the file cannot be used. */
export function openDeploymentFile(dataFolder: string): RotationFile<DeploymentTables> {
	const file = join(dataFolder, "deployment.sqlite");
	if (!existsSync(file))
		throw new ConfigurationError(`"${dataFolder}" is not the data folder of a service.`, {
			code: "data_folder_missing",
			hint: 'Name the folder that the service was started with: --data, STEMMA_DATA_FOLDER or "data".',
		});
	return openFile(file, deploymentMigrations.length, openForReading);
}

/**
 * Opens the deployment's file for a change, which a running service sees with its next statement.
 *
 * @throws as {@link openDeploymentFile}
 */
export function openDeploymentFileForUpdate(dataFolder: string): RotationFile<DeploymentTables> {
	openDeploymentFile(dataFolder).close();
	return openFile(join(dataFolder, "deployment.sqlite"), deploymentMigrations.length, openForUpdate);
}

/** @throws StorageError where the file is missing, or cannot be used. */
export function openWorkspaceFile(dataFolder: string, workspaceId: string): RotationFile<WorkspaceTables> {
	const file = join(dataFolder, "workspaces", `${workspaceId}.sqlite`);
	if (!existsSync(file))
		throw new StorageError(`The file ${file} is missing: a workspace has everything in it.`, {
			code: "storage_missing",
			hint: "Put it back, or restore the data folder from a backup.",
		});
	return openFile(file, workspaceMigrations.length, openForUpdate);
}

/** SQLite file that statements are run with. */
type StatementFile = Pick<SqliteFile, "execute" | "close">;

function openFile<Tables>(
	path: string,
	version: number,
	open: (path: string) => StatementFile,
): RotationFile<Tables> {
	try {
		assertVersion(path, version);
		return toRotationFile(open(path), path);
	} catch (error) {
		throw asStorageError(error, path);
	}
}

const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens a file for changes without setting it up: the service that serves it has done so, and a second setup would wait
 * for its transactions.
 */
function openForUpdate(path: string): StatementFile {
	const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
	database.exec("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
	return {
		execute(sql, parameters) {
			const statement = database.prepare(sql);
			if (statement.columns().length > 0) {
				const rows = statement.all(...parameters) as SqlRow[];
				return { rows, changes: rows.length, insertId: undefined };
			}
			const { changes } = statement.run(...parameters);
			return { rows: [], changes: Number(changes), insertId: undefined };
		},
		close: () => database.close(),
	};
}

/** A file of another version is left alone: the service that runs may be of that version. */
function assertVersion(path: string, expected: number): void {
	const file = openForReading(path);
	const version = Number(file.execute("PRAGMA user_version", []).rows[0]?.user_version);
	file.close();
	if (version === expected) return;
	throw new StorageError(`The file ${path} is of another version of Stemma (${version}, not ${expected}).`, {
		code: "storage_version",
		hint:
			version > expected
				? "Run the command with the version of stemma that the service has."
				: "Start the service of this version once: it brings the file up to date.",
	});
}

/** @param path - for messages. */
export function toRotationFile<Tables>(file: StatementFile, path: string): RotationFile<Tables> {
	const dialect = createThreadDialect(async (sql, parameters) => {
		try {
			return file.execute(sql, parameters);
		} catch (error) {
			throw asStorageError(error, path);
		}
	}, createSemaphore(1));
	const queries = new Kysely<Tables>({ dialect });
	return { read: queries, write: queries, close: () => file.close() };
}

const asStorageError = (error: unknown, path: string): unknown =>
	StorageError.is(error) ? error : toStorageError(toThreadFailure(error), path);
