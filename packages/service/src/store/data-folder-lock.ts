import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "@stemma/core/errors";
import { toFailure } from "./sqlite-file";
import { toStorageError } from "./storage-error";

/** Keeps a second service out of a data folder; the operating system lets go of it when the process dies, however it dies. */
export interface DataFolderLock {
	release(): void;
}

/** @throws ConfigurationError when another process serves this folder; StorageError when the lock cannot be used. */
export function lockDataFolder(folder: string): DataFolderLock {
	const file = join(folder, "lock.sqlite");
	const database = openLock(file);
	try {
		database.exec("BEGIN EXCLUSIVE");
	} catch (error) {
		database.close();
		if (!isBusy(error)) throw toStorageError(toFailure(error), file);
		throw new ConfigurationError(`The data folder "${folder}" is in use by another service.`, {
			code: "data_folder_in_use",
			hint: "Stop that service, or give this one a data folder of its own with --data.",
		});
	}
	return { release: () => database.close() };
}

function openLock(file: string): DatabaseSync {
	try {
		return new DatabaseSync(file, { timeout: 0 });
	} catch (error) {
		throw toStorageError(toFailure(error), file);
	}
}

const BUSY = 5;

const isBusy = (error: unknown): boolean =>
	error instanceof Error && "errcode" in error && error.errcode === BUSY;
