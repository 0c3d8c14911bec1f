import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "@stemma/core/errors";
import { toThreadFailure } from "../sqlite-file";
import { toStorageError } from "../storage-error";
import { readLockIdentity } from "./lock-identity";
import { prepareDatabaseFile } from "./private-files";

/** Keeps a second service out of a data folder; the operating system lets go of it when the process dies, however it dies. */
export interface DataFolderLock {
	/** Identity of the lock file and its disk; changes where the file was deleted and created again. */
	readonly identity: string;
	release(): void;
}

/** Time that another process may lock the files for: `stemma doctor`, a backup, a command. */
const BUSY_TIMEOUT_MS = 500;

/**
 * Locks the file `lock.sqlite` of a data folder. Where that is not the file that the last service has locked, it also
 * makes sure that no process has the deployment's database open: a lock file that was deleted keeps nobody out.
 *
 * @throws ConfigurationError `data_folder_in_use` when another process serves this folder; StorageError when the lock
 * cannot be used, or is a link.
 */
export function lockDataFolder(folder: string): DataFolderLock {
	const file = join(folder, "lock.sqlite");
	prepareDatabaseFile(file);
	const database = openFile(file);
	try {
		database.exec("BEGIN EXCLUSIVE");
		const identity = toFileIdentity(file);
		const deployment = join(folder, "deployment.sqlite");
		if (readLockIdentity(deployment) !== identity && isOpenInOtherProcess(deployment))
			throw dataFolderInUseError(folder);
		return { identity, release: () => database.close() };
	} catch (error) {
		database.close();
		if (ConfigurationError.is(error)) throw error;
		throw isBusy(error) ? dataFolderInUseError(folder) : toStorageError(toThreadFailure(error), file);
	}
}

/** True while another process holds the lock of a data folder. Takes no lock, and makes no file. */
export function isLocked(folder: string): boolean {
	const file = join(folder, "lock.sqlite");
	if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
	let database: DatabaseSync | undefined;
	try {
		database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
		database.prepare("SELECT count(*) FROM sqlite_schema").get();
		return false;
	} catch (error) {
		return isBusy(error);
	} finally {
		database?.close();
	}
}

/**
 * Locks a data folder for a command, so that no service starts meanwhile; `undefined` where one runs.
 *
 * @throws StorageError as {@link lockDataFolder}
 */
export function tryLockDataFolder(folder: string): DataFolderLock | undefined {
	try {
		return lockDataFolder(folder);
	} catch (error) {
		if (ConfigurationError.is(error) && error.code === "data_folder_in_use") return undefined;
		throw error;
	}
}

const dataFolderInUseError = (folder: string): ConfigurationError =>
	new ConfigurationError(`The data folder "${folder}" is in use by another service.`, {
		code: "data_folder_in_use",
		hint: "Stop that service, or give this one a data folder of its own with --data. Deleting the lock file does not help.",
	});

function toFileIdentity(file: string): string {
	const { dev, ino } = statSync(file, { bigint: true });
	return `${dev}:${ino}`;
}

/** Every process that uses a file in WAL mode holds a shared lock on it, all the time (sqlite.org/wal.html). */
function isOpenInOtherProcess(file: string): boolean {
	if (statSync(file, { throwIfNoEntry: false }) === undefined) return false;
	let database: DatabaseSync | undefined;
	try {
		database = openFile(file);
		database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK");
		return false;
	} catch (error) {
		// What else is wrong with the file is told by who opens it next.
		return isBusy(error);
	} finally {
		database?.close();
	}
}

function openFile(file: string): DatabaseSync {
	try {
		return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
	} catch (error) {
		throw toStorageError(toThreadFailure(error), file);
	}
}

const SQLITE_BUSY = 5;

const isBusy = (error: unknown): boolean =>
	error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
